import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import test from 'ava';
import {z} from 'zod';
import {DomainError} from '../../src/errors.ts';
import {createWarehouse} from '../../src/warehouse/clickhouse.ts';
import {PINNED} from '../../src/warehouse/pins.ts';
import type {WarehouseQuery} from '../../src/warehouse/warehouse.ts';

const WHOLE = JSON.stringify({
	meta: [{name: 'n', type: 'UInt8'}],
	data: [{n: 1}, {n: 2}],
	rows: 2,
	statistics: {elapsed: 0.001, rows_read: 2, bytes_read: 2},
});

const query: WarehouseQuery<undefined, {n: number}> = {
	name: 'test.cut',
	lane: 'light',
	row: z.object({n: z.number()}),
	build: () => ({text: 'SELECT n FROM t', params: {}}),
};

/** What a server of this behaviour is asked, and what becomes of the answer: rows, or an error's code. */
async function answered(text: string, how: 'ends' | 'breaks' = 'ends') {
	const asked: URLSearchParams[] = [];
	const server = createServer((request, response) => {
		asked.push(new URL(request.url!, 'http://engine').searchParams);
		request.resume().on('end', () => {
			response.writeHead(200, {'content-type': 'application/json'});
			if (how === 'ends') response.end(text);
			else response.write(text, () => setTimeout(() => response.destroy(), 20));
		});
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const warehouse = createWarehouse({url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`});
	try {
		const {rows} = await warehouse.read(query, undefined, {deadlineMs: 5000});
		return {asked, rows};
	} catch (error) {
		return {asked, code: error instanceof DomainError ? error.code : String(error)};
	} finally {
		await warehouse.close();
		server.close();
		server.closeAllConnections();
	}
}

test('a whole answer is a table, and limits were asked to be errors', async t => {
	const {rows, asked} = await answered(WHOLE);
	t.deepEqual(rows, [{n: 1}, {n: 2}]);
	for (const [name, value] of Object.entries(PINNED)) t.is(asked[0]!.get(name), value, name);
	t.is(asked[0]!.get('wait_end_of_query'), '1');
	t.is(asked[0]!.get('timeout_overflow_mode'), 'throw');
});

test('an answer that is cut anywhere is an error, never the part that came', async t => {
	for (let length = 0; length < WHOLE.length; length += 9) {
		const {code} = await answered(WHOLE.slice(0, length));
		t.is(code, 'query_failed', `after ${length} bytes`);
	}
});

test('a connection that breaks in the middle of an answer is an error', async t => {
	for (const length of [1, 60, WHOLE.length - 1]) {
		const {code} = await answered(WHOLE.slice(0, length), 'breaks');
		t.is(code, 'store_unavailable', `after ${length} bytes`);
	}
});

test('rows that are fewer than counted, or have an error behind them, are no answer', async t => {
	const whole = JSON.parse(WHOLE);
	const cut = [
		{...whole, data: whole.data.slice(1)},
		{...whole, exception: 'Code: 241'},
	];
	for (const each of cut) t.is((await answered(JSON.stringify(each))).code, 'query_failed');
});
