import type {LookupAddress} from 'node:dns';
import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import test from 'ava';
import {Pool} from 'undici';
import {Networks} from '../../../src/plugins/worker-client/networks.ts';

const INNER = [
	...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
	...[
		'172.31.255.255',
		'192.0.0.1',
		'192.168.1.1',
		'198.18.0.1',
		'224.0.0.1',
		'255.255.255.255',
		'240.0.0.1',
	],
	...['::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:a9fe:a9fe', '::7f00:1'],
	...['64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:7f00:1::', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fec0::1'],
	...['ff02::1', '2001:db8::1', '100::1'],
];
const PUBLIC = [
	...['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '100.128.0.1', '192.167.0.1', '223.255.255.255'],
	...['2606:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8'],
];

test('public addresses may be called, inner ones not, in whatever form they come', t => {
	const networks = new Networks([]);
	for (const address of INNER) t.false(networks.allows(address), address);
	for (const address of PUBLIC) t.true(networks.allows(address), address);
});

test('networks that are listed may be called, and no others with them', t => {
	const networks = new Networks(['10.1.0.0/16', '127.0.0.1', 'fd12::/16']);
	for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '127.0.0.1', 'fd12::9', '8.8.8.8']) {
		t.true(networks.allows(address), address);
	}
	for (const address of ['10.2.0.1', '127.0.0.2', 'fd13::9', '::1'])
		t.false(networks.allows(address), address);
});

/** A resolver that answers these, one after the other. */
function resolver(...answers: readonly (readonly string[])[]) {
	let asked = 0;
	const look = (_: string, __: object, callback: (error: null, addresses: LookupAddress[]) => void) => {
		const answer = answers[Math.min(asked++, answers.length - 1)]!;
		callback(
			null,
			answer.map(address => ({address, family: address.includes(':') ? 6 : 4})),
		);
	};
	return {look, asked: () => asked};
}

const look = (networks: Networks, options: object) =>
	new Promise(resolve => networks.lookup('plugin.example', options, (...answer) => resolve(answer)));

test('a name is refused where any of its addresses is an inner one', async t => {
	for (const addresses of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['2606:4700::1', '::1']]) {
		const [error] = (await look(new Networks([], resolver(addresses).look), {all: true})) as [Error];
		t.regex(error.message, /not in a network/);
	}
	t.deepEqual(await look(new Networks([], resolver(['8.8.8.8', '1.1.1.1']).look), {all: true}), [
		null,
		[
			{address: '8.8.8.8', family: 4},
			{address: '1.1.1.1', family: 4},
		],
	]);
	t.deepEqual(await look(new Networks([], resolver(['8.8.8.8']).look), {}), [null, '8.8.8.8', 4]);
});

test('a name is looked up once for a connection, and the connection goes to what was checked', async t => {
	const server = createServer((_, response) => response.end('here')).listen(0, '127.0.0.9');
	await once(server, 'listening');
	t.teardown(() => server.close());
	const {port} = server.address() as AddressInfo;
	// Whoever answers another address at the second question has nobody ask it.
	const names = resolver(['127.0.0.9'], ['127.0.0.1']);
	const networks = new Networks(['127.0.0.9'], names.look);
	const pool = new Pool(`http://plugin.example:${port}`, {
		connect: {lookup: networks.lookup},
		connections: 1,
	});
	t.teardown(() => pool.destroy());
	for (let time = 0; time < 3; time++) {
		const {body} = await pool.request({path: '/', method: 'GET'});
		t.is(await body.text(), 'here');
	}
	t.is(names.asked(), 1);
});

test('a name whose answer hangs is asked for once, however many connections wait for it', async t => {
	const questions: ((error: null, addresses: LookupAddress[]) => void)[] = [];
	const networks = new Networks([], (_, __, callback) => void questions.push(callback));
	const waiting = Array.from({length: 50}, () => look(networks, {}));
	t.is(questions.length, 1);
	questions[0]!(null, [{address: '8.8.8.8', family: 4}]);
	t.deepEqual(new Set((await Promise.all(waiting)).map(String)), new Set([',8.8.8.8,4']));
	// Nothing is kept: the next connection is to an address that was checked for it.
	const next = look(networks, {});
	questions[1]!(null, [{address: '10.0.0.1', family: 4}]);
	t.regex(String(await next), /not in a network/);
});
