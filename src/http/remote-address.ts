import type {IncomingMessage} from 'node:http';
import {BlockList, isIP} from 'node:net';

/** Who may say where a request came from: nobody (0), the nearest so many proxies, or those in these networks (CIDR). */
export type TrustedProxies = number | readonly string[];

/**
 * The address of whoever sent the request: the connection's, and beyond proxies that are trusted the one they name in
 * X-Forwarded-For. What stands in that header further to the left anybody may have written.
 */
export function remoteAddressReader(trusted: TrustedProxies = 0): (request: IncomingMessage) => string {
	if (trusted === 0) return request => plain(request.socket.remoteAddress ?? '');
	const isTrusted = typeof trusted === 'number' ? (_: string, hop: number) => hop < trusted : within(trusted);
	return request => {
		let address = plain(request.socket.remoteAddress ?? '');
		const header = request.headers['x-forwarded-for'];
		const named = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').reverse();
		for (const [hop, text] of named.entries()) {
			const next = plain(text.trim());
			if (isIP(next) === 0 || !isTrusted(address, hop)) break;
			address = next;
		}
		return address;
	};
}

function within(networks: readonly string[]): (address: string) => boolean {
	const list = new BlockList();
	for (const network of networks) {
		const [address = '', bits] = network.split('/');
		const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
		list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
	}
	return address => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** IPv4 behind an IPv6 socket is still IPv4. */
function plain(address: string): string {
	return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
