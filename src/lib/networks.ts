import {isIPv6} from 'node:net';

/** Whoever has one IPv6 address has the whole /64 around it. */
export function networkOf(address: string): string {
	if (!isIPv6(address)) return address;
	const [head = '', tail] = address.split('%')[0]!.split('::');
	const groups = head === '' ? [] : head.split(':');
	const after = tail ? tail.split(':') : [];
	const zeros = tail === undefined ? 0 : 8 - groups.length - after.length;
	return [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after]
		.slice(0, 4)
		.map(group => Number.parseInt(group, 16).toString(16))
		.join(':');
}
