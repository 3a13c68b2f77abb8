import test from 'ava';
import {z} from 'zod';
import {nearKey} from '../../src/query/near-keys.ts';
import {chance} from '../oracle/random.ts';
import {startTestWarehouse} from '../support/warehouse.ts';

const MASK = 2n ** 64n - 1n;
const SHIFTS = [20n, 21n, 33n, 41n, 45n, 51n, 53n, 54n];

function shifted(number: bigint): bigint {
	return SHIFTS.reduce((sum, shift) => sum ^ (number << shift), 0n) & MASK;
}

/** Each round makes 20 bits more of it right. */
function numberOf(key: bigint): bigint {
	let number = key;
	for (let round = 0; round < 4; round++) number = key ^ shifted(number);
	return number;
}

/** CRC-32C as the processor works it out over 64 bits, begun with ones and not turned round at the end. */
function hashOf(key: bigint): number {
	let hash = 0xffffffff;
	for (let byte = 0n; byte < 8n; byte++) {
		hash ^= Number((key >> (8n * byte)) & 0xffn);
		for (let bit = 0; bit < 8; bit++) hash = (hash >>> 1) ^ (hash & 1 ? 0x82f63b78 : 0);
	}
	return hash >>> 0;
}

test('every user point has a near key of its own, from which it can be told', async t => {
	const {warehouse} = await startTestWarehouse(t);
	const from = chance(6);
	const numbers = [
		...Array.from({length: 1000}, (_, number) => String(number)),
		...Array.from({length: 3000}, () => {
			const number = BigInt(from.whole(0, 2 ** 31)) * 2n ** 33n + BigInt(from.whole(0, 2 ** 31));
			return String(number & MASK);
		}),
		String(MASK),
	];
	const {rows} = await warehouse.read(
		{
			name: 'test.keys',
			lane: 'heavy',
			row: z.object({keys: z.array(z.string())}),
			build: () => ({
				text: `SELECT arrayMap(text -> toString(${nearKey('toUInt64(text)')}), {numbers:Array(String)}) AS keys`,
				params: {numbers},
			}),
		},
		undefined,
	);
	t.deepEqual(
		rows[0]!.keys.map(key => String(numberOf(BigInt(key)))),
		numbers,
	);
});

test('2,048 neighbours stand in one of the engine’s 256 tables of groups, and all of them are used', t => {
	const tableOf = (key: bigint) => hashOf(key) >>> 24;
	const keyOf = (number: bigint) => number ^ shifted(number);
	const used = new Set<number>();
	for (let run = 0n; run < 2_000n; run++) {
		const neighbours = [0n, 1n, 2n, 513n, 1023n, 1024n, 2047n].map(each => run * 2048n + each);
		const tables = new Set(neighbours.map(number => tableOf(keyOf(number))));
		t.is(tables.size, 1, String(run));
		for (const table of tables) used.add(table);
		t.true(new Set(neighbours.map(tableOf)).size > 3, 'without, they are strewn');
	}
	t.true(used.size > 200, String(used.size));
});
