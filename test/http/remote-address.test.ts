import type {IncomingMessage} from 'node:http';
import test from 'ava';
import {remoteAddressReader, type TrustedProxies} from '../../src/http/remote-address.ts';

function read(trusted: TrustedProxies, socket: string, forwarded?: string): string {
	const headers = forwarded === undefined ? {} : {'x-forwarded-for': forwarded};
	const request = {socket: {remoteAddress: socket}, headers} as unknown as IncomingMessage;
	return remoteAddressReader(trusted)(request);
}

test('who is not trusted cannot say where they come from', t => {
	t.is(read(0, '203.0.113.5', '10.0.0.1'), '203.0.113.5');
	t.is(read(['10.0.0.0/8'], '203.0.113.5', '198.51.100.1'), '203.0.113.5');
	t.is(
		remoteAddressReader()({socket: {remoteAddress: '::ffff:203.0.113.5'}, headers: {}} as never),
		'203.0.113.5',
	);
});

test('a number of proxies is counted from the connection: what was written before them is not believed', t => {
	t.is(read(1, '10.0.0.1', '1.1.1.1, 203.0.113.5'), '203.0.113.5');
	t.is(read(2, '10.0.0.1', '1.1.1.1, 203.0.113.5, 10.0.0.2'), '203.0.113.5');
	t.is(read(2, '10.0.0.1', '203.0.113.5'), '203.0.113.5');
	t.is(read(1, '10.0.0.1'), '10.0.0.1');
});

test('networks of proxies are passed through until the first address outside of them', t => {
	const proxies = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8'];
	t.is(read(proxies, '::ffff:10.0.0.1', '1.1.1.1, 203.0.113.5, 192.0.2.7'), '203.0.113.5');
	t.is(read(proxies, 'fd00::1', '2001:db8::1'), '2001:db8::1');
	t.is(read(proxies, '10.0.0.1', '10.0.0.9'), '10.0.0.9', 'a proxy’s own request');
	t.is(read(proxies, '10.0.0.1', 'unknown'), '10.0.0.1', 'what is no address is nobody');
	t.is(read(proxies, '10.0.0.1', "203.0.113.5, ' or 1=1"), '10.0.0.1');
});
