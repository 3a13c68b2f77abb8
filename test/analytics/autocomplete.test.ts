import test from 'ava';
import {SPANS, spansOf, VALUE_TABLE} from '../../src/analytics/autocomplete/value-table.ts';
import {FACT_COLUMNS, FACT_TABLE} from '../../src/ingestion/drain/blocks.ts';
import {countOlder} from '../../src/ingestion/drain/count-older.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import {type Chance, chance} from '../oracle/random.ts';
import {DAY_MS, drawBatch, RECEIVED_MS, valueWorld, writeFacts} from '../support/value-batches.ts';
import {startSharedWarehouse, type TestWarehouse} from '../support/warehouse.ts';

const ZONES = ['UTC', 'Europe/Paris', 'Asia/Kathmandu', 'America/St_Johns', 'America/Sao_Paulo'];
let store: TestWarehouse;
test.before(async () => {
	store = await startSharedWarehouse();
	await countOlder(store.warehouse, async () => new Map());
});
test.after.always(async () => store?.stop());

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

function drawQuestion(from: Chance): object {
	const name = from.pick([
		'BRAND',
		'PRODUCT_ID',
		'TYPE',
		'EVENT_TYPE',
		'CHANNEL_ID',
		'ORIGIN_SOURCE',
		'GOAL_ID',
	]);
	const filter = () => ({
		dimension_name: name,
		operator: from.pick(['LIKE', 'LIKE', 'EXACT', 'IN_LIST', 'IS_NULL']),
		expressions: [from.pick(['', 'fell', 'T', 'σ', '1', "'", 'SITE_VISIT', 'p1'])],
		not: from.pick([false, false, true]),
		case_sensitive: from.pick([false, true]),
	});
	const range = () => {
		const start = from.pick([
			Date.UTC(2026, 9, 20),
			Date.UTC(2010, 10, 1),
			Date.UTC(2018, 9, 30),
			RECEIVED_MS - 30 * DAY_MS,
		]);
		const first = start + from.whole(0, 12) * DAY_MS;
		const last = first + from.whole(0, 50) * DAY_MS;
		return {start_date: `${day(first)}T00:00:00`, end_date: `${day(last)}T23:59:59`};
	};
	return {
		date_ranges: from.pick([[], [range()], [range()], [range(), range()]]),
		dimensions: [{name}],
		dimension_filter_clauses: {
			operator: from.pick(['AND', 'OR']),
			filters: from.pick([[], [filter()], [filter(), filter()]]),
		},
		...(from.pick([true, false]) && {order_by: {field_name: name, sort_order: 'DESC'}}),
		max_results: from.pick([2, 100]),
	};
}

test.serial(
	'lists from the table of values are those of the facts, over random histories and questions',
	async t => {
		t.timeout(300_000);
		let fromTable = 0;
		for (const [index, timeZone] of ZONES.entries()) {
			const from = chance(index + 1);
			const world = valueWorld(store.warehouse, timeZone);
			for (let batches = 0; batches < 3; batches++) {
				const batch = drawBatch(world.datamartId, from);
				await writeFacts(batch, store.warehouse);
				await world.write(batch);
			}
			for (let questions = 0; questions < 12; questions++) {
				const question = drawQuestion(from);
				const answers = await world.ask(question);
				if (!answers.fromTable) continue;
				fromTable += 1;
				t.deepEqual(answers.fromTable, answers.fromFacts, JSON.stringify({timeZone, question}));
			}
		}
		t.true(fromTable > 25, `${fromTable} lists came from the table`);
	},
);

const BRANDS = {dimensions: [{name: 'BRAND'}], date_ranges: []};

test.serial(
	'a batch that is told again is counted once: under its token, without it, and after half of it was lost',
	async t => {
		const world = valueWorld(store.warehouse, 'Europe/Paris');
		const batch = drawBatch(world.datamartId, chance(77));
		await writeFacts(batch, store.warehouse);
		await world.write(batch);
		const {fromTable, fromFacts} = await world.ask(BRANDS);
		t.deepEqual(fromTable, fromFacts);

		await world.write(batch);
		await world.write(batch, {inDoubt: true});
		await world.write(batch, {inDoubt: true, name: 'no-token-was-kept'});
		t.deepEqual((await world.ask(BRANDS)).fromTable, fromFacts);

		await store.warehouse.command(`OPTIMIZE TABLE ${VALUE_TABLE} FINAL`);
		await world.write(batch, {inDoubt: true, name: 'nor-a-part-of-its-own'});
		t.deepEqual((await world.ask(BRANDS)).fromTable, fromFacts);

		await store.warehouse.command(
			`ALTER TABLE ${VALUE_TABLE} DELETE WHERE part = 202610 AND (datamart_id = ${world.datamartId} OR datamart_id = 0 AND value = '1') SETTINGS mutations_sync = 1`,
		);
		t.notDeepEqual((await world.ask(BRANDS)).fromTable, fromFacts);
		await world.write(batch, {inDoubt: true, name: 'one-partition-short'});
		t.deepEqual((await world.ask(BRANDS)).fromTable, fromFacts);
	},
);

test.serial('some rows of a batch are counted where others were refused', async t => {
	const world = valueWorld(store.warehouse, 'UTC');
	const batch = drawBatch(world.datamartId, chance(5));
	const kept = Uint32Array.from({length: 20}, (_, row) => row * 3);
	await store.warehouse.write({
		table: FACT_TABLE,
		columns: FACT_COLUMNS,
		rows: kept.length,
		format: 'Native',
		payload: batch.facts.encode(kept),
	});
	await world.write(batch, {rows: kept});
	for (const name of ['BRAND', 'TYPE', 'PRODUCT_ID']) {
		const {fromTable, fromFacts} = await world.ask({dimensions: [{name}], date_ranges: []});
		t.deepEqual(fromTable, fromFacts);
	}
});

test.serial(
	'facts of before the table are counted into it, a start that was cut short begins anew, and a batch in doubt is not counted twice',
	async t => {
		const own = await startSharedWarehouse();
		t.teardown(own.stop);
		const world = valueWorld(own.warehouse, 'America/St_Johns');
		const batches = [3, 4].map(seed => drawBatch(world.datamartId, chance(seed)));
		for (const batch of batches) await writeFacts(batch, own.warehouse);
		t.is((await world.ask(BRANDS)).fromTable, undefined, 'nothing is told by halves');

		const zones = async () => new Map([[world.datamartId, world.timeZone]]);
		let left = 9;
		const dying: Warehouse = {
			...own.warehouse,
			read: (...question) => own.warehouse.read(...question),
			command: async (...statement) => {
				left -= 1;
				if (left === 0) throw new Error('killed');
				return own.warehouse.command(...statement);
			},
		};
		await t.throwsAsync(countOlder(dying, zones), {message: 'killed'});
		t.is((await world.ask(BRANDS)).fromTable, undefined);

		await countOlder(own.warehouse, zones);
		await countOlder(own.warehouse, zones);
		await world.write(batches[1]!, {inDoubt: true});
		for (const name of ['BRAND', 'TYPE', 'PRODUCT_ID', 'CHANNEL_ID', 'EVENT_TYPE']) {
			for (const date_ranges of [
				[],
				[{start_date: '2010-11-06T00:00:00', end_date: '2026-10-24T23:59:59'}],
			]) {
				const {fromTable, fromFacts} = await world.ask({dimensions: [{name}], date_ranges});
				t.deepEqual(fromTable, fromFacts, name);
			}
		}
	},
);

test.serial('parts of a day, other conditions and numbers are asked of the facts', async t => {
	const world = valueWorld(store.warehouse, 'America/St_Johns');
	const days = (start_date: string, end_date: string) => [{start_date, end_date}];
	const whole = days('2026-10-01T00:00:00', '2026-10-31T23:59:59');
	const asked = (more: object) => world.ask({dimensions: [{name: 'BRAND'}], date_ranges: whole, ...more});
	const filtered = (...filters: object[]) => ({dimension_filter_clauses: {operator: 'OR', filters}});
	const like = {dimension_name: 'BRAND', operator: 'LIKE', expressions: ['']};

	t.deepEqual((await asked({})).fromTable, (await asked({})).fromFacts);
	for (const told of [{}, filtered(like), {order_by: {field_name: 'BRAND'}}]) {
		t.truthy((await asked(told)).fromTable, JSON.stringify(told));
	}
	for (const untold of [
		filtered(like, {dimension_name: 'TYPE', operator: 'EXACT', expressions: ['EMAIL']}),
		filtered({dimension_name: 'SEGMENT_ID', operator: 'EXACT', expressions: ['1']}),
		filtered({...like, expressions: ['x'], not: true}),
		{dimensions: [{name: 'BRAND'}, {name: 'TYPE'}]},
		{dimensions: [{name: 'SEGMENT_ID'}]},
		{metrics: [{expression: 'users'}]},
		{order_by: {field_name: 'users'}},
		{date_ranges: days('2026-10-01T00:00:01', '2026-10-31T23:59:59')},
		{date_ranges: days('2026-10-01T00:00:00', '2026-10-31T12:00:00')},
		// Clocks were put back over this midnight: its day came, went and came again.
		{date_ranges: days('2010-11-07T00:00:00', '2010-11-20T23:59:59')},
	]) {
		t.is((await asked(untold)).fromTable, undefined, JSON.stringify(untold));
	}
});

test.serial('days are cut into the fewest spans that hold them and nothing else', t => {
	const from = chance(9);
	for (let drawn = 0; drawn < 500; drawn++) {
		const first = from.whole(0, 300);
		const until = first + from.whole(0, 200);
		const runs = spansOf({first, until});
		const days = runs.flatMap(run => Array.from({length: run.until - run.first}, (_, at) => run.first + at));
		t.deepEqual(
			days.toSorted((a, b) => a - b),
			Array.from({length: until - first}, (_, at) => first + at),
		);
		for (const run of runs) {
			t.true(SPANS.some(span => span === run.span));
			t.is(run.first % run.span, 0);
			t.is(run.until % run.span, 0);
		}
	}
	t.deepEqual(
		spansOf({first: 5, until: 50}).map(({span}) => span),
		[1, 4, 16, 1],
	);
});
