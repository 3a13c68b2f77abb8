import test from 'ava';
import {z} from 'zod';
import {clauseCondition} from '../../src/query/filters.ts';
import {Bindings} from '../../src/query/fragment.ts';
import {filterClauseFor} from '../../src/query/inputs.ts';
import type {WarehouseQuery} from '../../src/warehouse/warehouse.ts';
import {insertFacts} from '../support/facts.ts';
import {startSharedWarehouse, type TestWarehouse} from '../support/warehouse.ts';

interface WireFilter {
	dimension_name: string;
	operator: string;
	expressions: (string | number)[];
	not?: boolean | null;
	case_sensitive?: boolean | null;
}

let store: TestWarehouse;
let datamarts = 0;
test.before(async () => {
	store = await startSharedWarehouse();
});
test.after.always(async () => store?.stop());

const Clause = filterClauseFor('funnel_filter');

function compile(filters: WireFilter[], operator: string, datamartId = 1) {
	const clause = Clause.parse({operator, filters})!;
	const range = {fromMs: 0, untilMs: 1};
	const scope = {datamartId, timeZone: 'UTC', range, nowMs: 1_000, resolveMerges: true};
	const bindings = new Bindings('f');
	return {text: clauseCondition(clause, scope, bindings), params: bindings.params};
}

const matching: WarehouseQuery<
	{datamartId: number; filters: WireFilter[]; operator: string},
	{user_point_id: number}
> = {
	name: 'test.matching',
	lane: 'light',
	row: z.object({user_point_id: z.coerce.number()}),
	build({datamartId, filters, operator}) {
		const {text, params} = compile(filters, operator, datamartId);
		return {
			text: `SELECT user_point_id FROM fact_rows_v1 WHERE datamart_id = {datamart:UInt32} AND (${text}) ORDER BY user_point_id`,
			params: {...params, datamart: datamartId},
		};
	},
};

/** One row per entry, its user point counted from 1; `ask` tells which rows match. */
async function rowsWith(rows: readonly Record<string, readonly string[]>[]) {
	datamarts += 1;
	const datamartId = datamarts;
	await insertFacts(
		store.warehouse,
		datamartId,
		rows.map((dimensions, at) => ({userPoint: at + 1, ts: 1_700_000_000_000, dimensions})),
	);
	const ask = async (filters: WireFilter | WireFilter[], operator = 'AND') => {
		const asked = {datamartId, filters: Array.isArray(filters) ? filters : [filters], operator};
		return (await store.warehouse.read(matching, asked)).rows.map(row => row.user_point_id);
	};
	return Object.assign(ask, {datamartId});
}

const exact = (name: string, ...expressions: (string | number)[]) => ({
	dimension_name: name,
	operator: 'EXACT',
	expressions,
});
const like = (name: string, expression: string) => ({...exact(name, expression), operator: 'LIKE'});
const inList = (name: string, ...expressions: (string | number)[]) => ({
	...exact(name, ...expressions),
	operator: 'IN_LIST',
});
const not = (filter: WireFilter) => ({...filter, not: true});

test('EXACT equals the first expression, LIKE contains it literally, IN_LIST equals any', async t => {
	const ask = await rowsWith([
		{EVENT_TYPE: ['buy']},
		{EVENT_TYPE: ['buyer']},
		{EVENT_TYPE: ['b%y']},
		{EVENT_TYPE: ['b_y']},
		{CHANNEL_ID: ['7']},
	]);

	t.deepEqual(await ask(exact('EVENT_TYPE', 'buy', 'buyer')), [1]);
	t.deepEqual(await ask(like('EVENT_TYPE', 'buy')), [1, 2]);
	t.deepEqual(await ask(like('EVENT_TYPE', '%')), [3]);
	t.deepEqual(await ask(like('EVENT_TYPE', '_')), [4]);
	t.deepEqual(await ask(inList('event_type', 'buy', 'b%y', 'nothing')), [1, 3]);
	t.deepEqual(await ask(exact('CHANNEL_ID', 7)), [5]);
});

test('not matches rows that have a value and none of them matches; a row without a value matches neither', async t => {
	const ask = await rowsWith([
		{BRAND: ['acme']},
		{BRAND: ['other', 'acme']},
		{BRAND: ['other']},
		{TYPE: ['EMAIL']},
	]);

	t.deepEqual(await ask(exact('BRAND', 'acme')), [1, 2]);
	t.deepEqual(await ask(not(exact('BRAND', 'acme'))), [3]);
	t.deepEqual(await ask(not(inList('BRAND', 'acme', 'other'))), []);
	t.deepEqual(await ask(not(exact('TYPE', 'SITE_VISIT'))), [4]);
	t.deepEqual(await ask(not(like('BRAND', 'zzz'))), [1, 2, 3]);
});

test("'' is no value: EXACT and IN_LIST never meet it, LIKE '' meets every value", async t => {
	const ask = await rowsWith([{BRAND: ['acme'], TYPE: ['EMAIL']}, {}]);

	for (const name of ['BRAND', 'TYPE']) {
		t.deepEqual(await ask(exact(name, '')), []);
		t.deepEqual(await ask(not(exact(name, ''))), [1]);
		t.deepEqual(await ask(inList(name, '')), []);
		t.deepEqual(await ask(like(name, '')), [1]);
		t.deepEqual(await ask(not(like(name, ''))), []);
	}
});

test('LIKE ignores case, the others do not, and case_sensitive decides where given', async t => {
	const ask = await rowsWith([
		{TYPE: ['Email'], BRAND: ['ÄPFEL']},
		{TYPE: ['ΟΔΟΣ'], BRAND: ['Straße', 'äpfel']},
	]);

	t.deepEqual(await ask(like('TYPE', 'EMA')), [1]);
	t.deepEqual(await ask({...like('TYPE', 'EMA'), case_sensitive: true}), []);
	t.deepEqual(await ask(exact('TYPE', 'email')), []);
	t.deepEqual(await ask({...exact('TYPE', 'email'), case_sensitive: false}), [1]);
	t.deepEqual(await ask({...inList('TYPE', 'x', 'οδος'), case_sensitive: false}), [2]);
	t.deepEqual(await ask({...exact('BRAND', 'Äpfel'), case_sensitive: false}), [1, 2]);
	t.deepEqual(await ask({...exact('BRAND', 'äpfel'), case_sensitive: null}), [2]);
});

test('AND and OR join the filters, and no filter matches every row', async t => {
	const ask = await rowsWith([{TYPE: ['A'], BRAND: ['x']}, {TYPE: ['A']}, {BRAND: ['x']}, {}]);
	const both = [exact('TYPE', 'A'), exact('BRAND', 'x')];

	t.deepEqual(await ask(both, 'AND'), [1]);
	t.deepEqual(await ask(both, 'OR'), [1, 2, 3]);
	t.deepEqual(await ask([], 'OR'), [1, 2, 3, 4]);
});

const HOSTILE = [
	"' OR 1=1 --",
	"'; DROP TABLE fact_rows_v1; --",
	"\\' OR 1=1 --",
	'\\',
	'{f0:String}',
	'{datamart:UInt32}',
	'/*{columns}*/',
	'`"\t\n\r\b',
	'nul\0inside',
	'😀 👩‍👩‍👧',
	'.*(a+)+$',
	'%_[a-z]^',
	"')) UNION ALL SELECT 1 --",
];

test('quotes, backslashes, NUL, emoji, placeholders and patterns stay values in every operator', async t => {
	const ask = await rowsWith([
		...HOSTILE.map(text => ({EVENT_TYPE: [text], BRAND: [text]})),
		{EVENT_TYPE: ['plain']},
	]);

	for (const [at, text] of HOSTILE.entries()) {
		const alone = [at + 1];
		const containing = HOSTILE.flatMap((other, place) =>
			other.toLowerCase().includes(text.toLowerCase()) ? [place + 1] : [],
		);
		for (const name of ['EVENT_TYPE', 'BRAND']) {
			t.deepEqual(await ask(exact(name, text)), alone, text);
			t.deepEqual(await ask({...exact(name, text), case_sensitive: false}), alone, text);
			t.deepEqual(await ask(inList(name, text, 'x')), alone, text);
			t.deepEqual(await ask(like(name, text)), containing, text);
		}
	}
	const all = HOSTILE.length + 1;
	t.is((await ask(not(inList('EVENT_TYPE', ...HOSTILE)))).at(0), all, 'and nothing was dropped on the way');
});

test('a very long expression is a value like any other', async t => {
	const long = `${"é'\\".repeat(60_000)}end`;
	const ask = await rowsWith([{EVENT_TYPE: [long]}, {EVENT_TYPE: [long.slice(0, -1)]}]);

	t.deepEqual(await ask(exact('EVENT_TYPE', long)), [1]);
	t.deepEqual(await ask(like('EVENT_TYPE', long.slice(5, -1))), [1, 2]);
});

test('no text of a request is ever part of the statement', t => {
	const filters = HOSTILE.flatMap(text => [
		exact('BRAND', text),
		like('TYPE', text),
		not(inList('GOAL_ID', text)),
	]);
	const {text, params} = compile(filters, 'OR');

	for (const hostile of HOSTILE.filter(each => each.length > 1 && !each.startsWith('{f0'))) {
		t.false(text.includes(hostile), hostile);
		t.true(JSON.stringify(Object.values(params)).includes(JSON.stringify(hostile).slice(1, -1)), hostile);
	}
});

test('SEGMENT_ID asks for members of now; not a member is whoever is not, members of nothing included', async t => {
	const ask = await rowsWith([{}, {}, {}, {}]);
	const never = '18446744073709551615';
	const member = (segment: string, userPoint: number, expiresMs: string) =>
		`${ask.datamartId}\t${segment}\t${userPoint}\t${expiresMs}`;
	for (const lines of [
		[member('s1', 1, never), member('s1', 2, '1000'), member('s1', 3, '1001'), member('S1', 4, never)],
		// Left since: the last row written wins.
		[member('s1', 3, '0')],
	]) {
		await store.warehouse.write({
			table: 'user_segments_v1',
			columns: ['datamart_id', 'segment_id', 'user_point_id', 'expires_ms'],
			rows: lines.length,
			payload: Buffer.from(`${lines.join('\n')}\n`),
		});
	}

	t.deepEqual(await ask(exact('SEGMENT_ID', 's1')), [1]);
	t.deepEqual(await ask(not(exact('SEGMENT_ID', 's1'))), [2, 3, 4]);
	t.deepEqual(await ask(inList('SEGMENT_ID', 's1', 'S1')), [1, 4]);
});
