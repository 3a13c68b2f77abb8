import anyTest, {type TestFn} from 'ava';
import fc from 'fast-check';
import {z} from 'zod';
import {NativeBlock} from '../../../src/lib/native/native-block.ts';
import {startSharedWarehouse, type TestWarehouse} from '../../support/warehouse.ts';

const test = anyTest as TestFn<TestWarehouse>;

test.before(async t => {
	t.context = await startSharedWarehouse();
});
test.after.always(async t => t.context.stop?.());

const SCHEMA = {
	a: 'UInt16',
	b: 'UInt32',
	c: 'UInt64',
	d: 'Int64',
	e: 'String',
	f: 'LowCardinality(String)',
	g: 'Array(String)',
	h: 'Array(LowCardinality(String))',
} as const;
const COLUMNS = Object.keys(SCHEMA);

interface Row {
	a: number;
	b: number;
	c: number;
	d: number;
	e: string;
	f: string;
	g: string[];
	h: string[];
}

const text = fc.oneof(
	fc.string({unit: 'binary', maxLength: 200}),
	fc.constantFrom('', 'é', 'x'.repeat(43), '😀'),
);
const word = fc.oneof(fc.constantFrom('', 'view', 'buy'), fc.string({maxLength: 5}));
const Rows: fc.Arbitrary<Row[]> = fc.array(
	fc.record({
		a: fc.nat(2 ** 16 - 1),
		b: fc.nat(2 ** 32 - 1),
		c: fc.maxSafeNat(),
		d: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(-1, -9.2e18, 9.2e18)),
		e: text,
		f: word,
		g: fc.array(text, {maxLength: 3}),
		h: fc.array(word, {maxLength: 3}),
	}),
	{maxLength: 40},
);

let tables = 0;
async function newTable({warehouse}: TestWarehouse): Promise<string> {
	tables += 1;
	const table = `native_${tables}`;
	const columns = Object.entries(SCHEMA).map(([name, type]) => `${name} ${type}`);
	await warehouse.command(`CREATE TABLE ${table} (${columns.join(', ')}, n UInt32) ENGINE = MergeTree
		PARTITION BY a % 2 ORDER BY n SETTINGS non_replicated_deduplication_window = 100`);
	return table;
}

function blockOf(rows: readonly Row[]) {
	const block = new NativeBlock({...SCHEMA, n: 'UInt32'} as const, 1);
	for (const [index, row] of rows.entries()) {
		const {columns} = block;
		columns.a.push(row.a);
		columns.b.push(row.b);
		columns.c.push(row.c);
		columns.d.push(row.d);
		columns.e.push(row.e);
		columns.f.push(row.f);
		columns.g.push(row.g);
		columns.h.push(row.h);
		columns.n.push(index);
	}
	return block;
}

async function stored({warehouse}: TestWarehouse, table: string): Promise<Row[]> {
	const query = {
		name: 'test.native',
		lane: 'light' as const,
		row: z.record(z.string(), z.any()),
		build: () => ({text: `SELECT ${COLUMNS.join(', ')} FROM ${table} ORDER BY n`, params: {}}),
	};
	return (await warehouse.read(query, undefined)).rows as unknown as Row[];
}

/** As the engine answers: 64-bit integers in digits. */
const asRead = (row: Row) => ({...row, c: String(BigInt(row.c)), d: String(BigInt(row.d))});

const writable = (table: string, rows: number, payload: Buffer) =>
	({table, columns: [...COLUMNS, 'n'], rows, payload, format: 'Native'}) as const;

test('whatever rows are put into a block stand in the table, all of them or those that were chosen', async t => {
	const table = await newTable(t.context);
	const {warehouse} = t.context;
	await fc.assert(
		fc.asyncProperty(Rows, fc.infiniteStream(fc.boolean()), async (rows, coins) => {
			const block = blockOf(rows);
			await warehouse.write(writable(table, rows.length, block.encode()));
			t.deepEqual<unknown, unknown>(await stored(t.context, table), rows.map(asRead));
			await warehouse.command(`TRUNCATE TABLE ${table}`);

			const chosen = rows.map((_, index) => index).filter(() => coins.next().value);
			await warehouse.write(writable(table, chosen.length, block.encode(Uint32Array.from(chosen))));
			t.deepEqual<unknown, unknown>(
				await stored(t.context, table),
				chosen.map(row => asRead(rows[row]!)),
			);
			await warehouse.command(`TRUNCATE TABLE ${table}`);
		}),
		{numRuns: 40, seed: 7},
	);
});

test('a column keeps more words than a small number counts, and long texts', async t => {
	const table = await newTable(t.context);
	const rows = Array.from({length: 70_000}, (_, index): Row => {
		const f = `word ${index}`;
		return {
			a: index % 2,
			b: index,
			c: index,
			d: -index,
			e: 'y'.repeat(index % 300),
			f,
			g: [],
			h: [f, 'same'],
		};
	});
	const block = blockOf(rows);
	await t.context.warehouse.write(writable(table, rows.length, block.encode()));
	const read = await stored(t.context, table);
	t.is(read.length, rows.length);
	for (const row of [0, 1, 255, 65_535, 65_536, 69_999])
		t.deepEqual<unknown, unknown>(read[row], asRead(rows[row]!));
	const text = 'z'.repeat(3_000_000);
	const long = blockOf([{...rows[1]!, e: text}]);
	await t.context.warehouse.write(writable(table, 1, long.encode()));
	t.true((await stored(t.context, table)).some(row => row.e === text));
});

test('a block with a token is stored once, as one part for each partition', async t => {
	const table = await newTable(t.context);
	const rows = Array.from({length: 50}, (_, index): Row => {
		return {a: index, b: 1, c: 1, d: 1, e: 'e', f: 'f', g: [], h: []};
	});
	const write = {
		...writable(table, rows.length, blockOf(rows).encode()),
		deduplicationToken: `${table}:1-50`,
	};
	const {warehouse} = t.context;
	await warehouse.command(`SYSTEM STOP MERGES ${table}`);
	await warehouse.write(write);
	await warehouse.write(write);
	t.is((await stored(t.context, table)).length, 50);
	await warehouse.write({...write, deduplicationToken: `${table}:51-100`});
	t.is((await stored(t.context, table)).length, 100);
	const parts = await warehouse.read(
		{
			name: 'test.parts',
			lane: 'light',
			row: z.object({parts: z.coerce.number()}),
			build: () => ({
				text: `SELECT count() AS parts FROM system.parts
				WHERE database = currentDatabase() AND table = {table:String} AND active`,
				params: {table},
			}),
		},
		undefined,
	);
	t.is(parts.rows[0]!.parts, 4);
});

test('a block that the table does not take is refused whole, and the next one is taken', async t => {
	const table = await newTable(t.context);
	const {warehouse} = t.context;
	await warehouse.command(`ALTER TABLE ${table} ADD CONSTRAINT calm CHECK e != 'bad'`);
	const row: Row = {a: 1, b: 1, c: 1, d: 1, e: 'good', f: 'f', g: [], h: []};
	const rows = [row, {...row, a: 2, e: 'bad'}];
	await t.throwsAsync(warehouse.write(writable(table, 2, blockOf(rows).encode())), {code: 'query_failed'});
	t.deepEqual(await stored(t.context, table), []);
	await t.throwsAsync(warehouse.write(writable(table, 2, Buffer.from('no block at all'))), {
		code: 'query_failed',
	});
	await warehouse.write(writable(table, 1, blockOf([row]).encode()));
	t.is((await stored(t.context, table)).length, 1);
});

test('a block whose columns are not equally long is refused before it is sent', t => {
	const block = new NativeBlock({a: 'UInt16', b: 'String'} as const, 1);
	block.columns.a.push(1);
	t.throws(() => block.encode(), {message: 'b has 0 of 1 rows'});
});
