import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {z} from 'zod';
import {ActivityReportRequest} from '../../src/analytics/activity-report/activity-report.schema.ts';
import {activityReport} from '../../src/analytics/activity-report/activity-report.ts';
import {ValueLists} from '../../src/analytics/autocomplete/autocomplete.ts';
import type {CountsFeed} from '../../src/analytics/autocomplete/counted.ts';
import {LiveLists} from '../../src/analytics/autocomplete/live-lists.ts';
import {VALUE_TABLE} from '../../src/analytics/autocomplete/value-table.ts';
import {countOlder} from '../../src/ingestion/drain/count-older.ts';
import {compareIds, compareTexts} from '../../src/lib/texts.ts';
import type {ReadOptions, Warehouse, WarehouseQuery} from '../../src/warehouse/warehouse.ts';
import {type Chance, chance} from '../oracle/random.ts';
import {type Batch, drawBatch, type ValueWorld, valueWorld, writeFacts} from '../support/value-batches.ts';
import {startSharedWarehouse, type TestWarehouse} from '../support/warehouse.ts';

let store: TestWarehouse;
test.before(async () => {
	store = await startSharedWarehouse();
	await countOlder(store.warehouse, async () => new Map());
});
test.after.always(async () => store?.stop());

async function write(world: ValueWorld, batch: Batch): Promise<void> {
	await writeFacts(batch, store.warehouse);
	await world.write(batch);
}

function drawQuestion(from: Chance): object {
	const name = from.pick(['BRAND', 'PRODUCT_ID', 'CHANNEL_ID', 'CHANNEL_NAME', 'ORIGIN_SOURCE', 'GOAL_ID']);
	const filter = () => ({
		dimension_name: name,
		operator: 'LIKE',
		expressions: [from.pick(['', 'fell', 'T', 'Σ', 'ä', '1', '0', "'", 'P1', 'sho', '\u{1f600}', '\ud83d'])],
		case_sensitive: from.pick([false, false, true]),
	});
	return {
		date_ranges: from.pick([[], [{start_date: '2026-10-20T00:00:00', end_date: '2026-11-25T23:59:59'}]]),
		dimensions: [{name}],
		dimension_filter_clauses: {
			operator: from.pick(['AND', 'OR']),
			filters: from.pick([[], [filter()], [filter()], [filter(), filter()]]),
		},
		first_result: from.pick([0, 0, 1, 3]),
		max_results: from.pick([1, 2, 100]),
	};
}

/** Until it is answered from memory. */
async function untilLive(world: ValueWorld, question: object): Promise<void> {
	for (let asked = 0; asked < 400; asked++) if ((await world.askLive(question)).isLive) return;
	throw new Error(`never in memory: ${JSON.stringify(question)}`);
}

for (const timeZone of ['Europe/Paris', 'America/St_Johns']) {
	test.serial(`lists in memory are those of the facts while batches come, in ${timeZone}`, async t => {
		t.timeout(300_000);
		const from = chance(timeZone.length);
		const world = valueWorld(store.warehouse, timeZone);
		const questions = Array.from({length: 30}, () => drawQuestion(from));
		await write(world, drawBatch(world.datamartId, from));
		for (let round = 0; round < 4; round++) {
			const batch = drawBatch(world.datamartId, from, 20);
			// Lists that are wanted now are read while the batch is being written.
			await Promise.all([write(world, batch), ...questions.slice(0, 8 * round).map(world.askLive)]);
			// As after an answer that was lost: what is told twice is counted once.
			if (round === 2) await world.write(batch, {inDoubt: true});
			for (const question of questions.slice(0, 8 * round)) {
				const {answer, fromFacts} = await world.askLive(question);
				t.deepEqual(answer, fromFacts, JSON.stringify(question));
			}
		}
		for (const question of questions) {
			await untilLive(world, question);
			const {answer, fromFacts} = await world.askLive(question);
			t.deepEqual(answer, fromFacts, JSON.stringify(question));
		}
	});
}

/** A datamart that no facts are of. */
const NOBODYS = 999_999;
const BRANDS = {dimensions: [{name: 'BRAND'}], date_ranges: []};

/** The store, with `around` about each reading of a list into memory. */
function readingAround(around: (read: () => Promise<void>) => Promise<void>): Warehouse {
	return {
		...store.warehouse,
		async read<Input, Row>(query: WarehouseQuery<Input, Row>, input: Input, options?: ReadOptions) {
			if (query.name !== 'autocomplete.live') return store.warehouse.read(query, input, options);
			let answer: Promise<Awaited<ReturnType<typeof store.warehouse.read<Input, Row>>>> | undefined;
			await around(async () => {
				answer = store.warehouse.read(query, input, options);
				await answer;
			});
			return answer!;
		},
	};
}

for (const [when, around] of [
	[
		'before it is read, which it is told of all the same',
		async (batch: () => Promise<void>, read: () => Promise<void>) => {
			await batch();
			await read();
		},
	],
	[
		'between its reading and its answer',
		async (batch: () => Promise<void>, read: () => Promise<void>) => {
			await read();
			await batch();
		},
	],
] as const) {
	test.serial(`a batch counts once in a list where it comes ${when}`, async t => {
		const from = chance(12);
		let batches = 0;
		const world: ValueWorld = valueWorld(
			readingAround(read =>
				around(async () => {
					batches += 1;
					await write(world, drawBatch(world.datamartId, from));
				}, read),
			),
			'UTC',
		);
		await write(world, drawBatch(world.datamartId, from));
		await untilLive(world, BRANDS);
		const {answer, isLive, fromFacts} = await world.askLive(BRANDS);
		t.is(batches, 1);
		t.true(isLive);
		t.deepEqual(answer, fromFacts);
	});
}

test.serial('a batch that is being written when the list is wanted is in it', async t => {
	const from = chance(31);
	let arrived = () => {};
	let release = () => {};
	const gate = new Promise<void>(resolve => {
		release = resolve;
	});
	let isHeld = false;
	const world = valueWorld(
		{
			...store.warehouse,
			async write(block) {
				if (isHeld) {
					arrived();
					await gate;
				}
				return store.warehouse.write(block);
			},
		},
		'UTC',
	);
	await write(world, drawBatch(world.datamartId, from));
	const batch = drawBatch(world.datamartId, from);
	await writeFacts(batch, store.warehouse);
	const writing = new Promise<void>(resolve => {
		arrived = resolve;
	});
	isHeld = true;
	const written = world.write(batch);
	await writing;
	await world.askLive(BRANDS);
	await world.askLive(BRANDS);
	await delay(100);
	release();
	await written;
	await untilLive(world, BRANDS);
	const {answer, fromFacts} = await world.askLive(BRANDS);
	t.deepEqual(answer, fromFacts);
});

test.serial('a list that is too long, or cannot be read, is asked of the table as before', async t => {
	const from = chance(8);
	const small = valueWorld(store.warehouse, 'UTC', {mostValues: 3});
	const failing = valueWorld(
		readingAround(() => Promise.reject(new Error('no engine'))),
		'UTC',
	);
	for (const world of [small, failing]) {
		await write(world, drawBatch(world.datamartId, from));
		for (let asked = 0; asked < 10; asked++) {
			const {answer, isLive, fromFacts} = await world.askLive(BRANDS);
			t.false(isLive);
			t.deepEqual(answer, fromFacts);
		}
	}
	// Short at first, it grows in memory.
	const growing = valueWorld(store.warehouse, 'UTC', {mostValues: 5});
	const types = {dimensions: [{name: 'TYPE'}], date_ranges: []};
	await write(growing, drawBatch(growing.datamartId, from, 1));
	await untilLive(growing, types);
	await write(growing, drawBatch(growing.datamartId, from));
	const {answer, isLive, fromFacts} = await growing.askLive(types);
	t.true(isLive);
	t.deepEqual(answer, fromFacts);
});

test.serial('lists push each other out where memory is short, and are right when they come back', async t => {
	const from = chance(17);
	const world = valueWorld(store.warehouse, 'UTC', {mostBytes: 350_000});
	const questions = Array.from({length: 8}, (_, at) => ({
		dimensions: [{name: 'BRAND'}],
		date_ranges: [{start_date: `2026-10-${10 + at}T00:00:00`, end_date: '2026-11-25T23:59:59'}],
	}));
	await write(world, drawBatch(world.datamartId, from));
	for (const question of [...questions, ...questions]) {
		await untilLive(world, question);
		t.true(world.liveBytes <= 350_000, String(world.liveBytes));
		await write(world, drawBatch(world.datamartId, from, 10));
		const {answer, fromFacts} = await world.askLive(question);
		t.deepEqual(answer, fromFacts);
	}
});

test.serial('the list that nobody asked for lately is let go, however much others have grown', async t => {
	const from = chance(19);
	const world = valueWorld(store.warehouse, 'UTC', {mostBytes: 350_000});
	const [a, b, c, d] = ['BRAND', 'PRODUCT_ID', 'ORIGIN_SOURCE', 'CHANNEL_ID'].map(name => ({
		...BRANDS,
		dimensions: [{name}],
	}));
	await write(world, drawBatch(world.datamartId, from, 3));
	for (const question of [a!, b!, c!]) await untilLive(world, question);
	t.true((await world.askLive(a!)).isLive);
	await write(world, drawBatch(world.datamartId, from));
	await untilLive(world, d!);
	t.true((await world.askLive(a!)).isLive);
	t.true((await world.askLive(c!)).isLive);
	t.false((await world.askLive(b!)).isLive);
});

test.serial('of one dimension eight periods are in memory', async t => {
	const world = valueWorld(store.warehouse, 'UTC');
	await write(world, drawBatch(world.datamartId, chance(20)));
	const questions = Array.from({length: 9}, (_, at) => ({
		dimensions: [{name: 'BRAND'}],
		date_ranges: [{start_date: `2026-10-${10 + at}T00:00:00`, end_date: '2026-11-25T23:59:59'}],
	}));
	for (const question of questions) await untilLive(world, question);
	const areLive: boolean[] = [];
	for (const question of questions) areLive.push((await world.askLive(question)).isLive);
	t.deepEqual(areLive, [false, ...questions.slice(1).map(() => true)]);
});

test.serial(
	'a list weighs what it has grown to, and is read again once much of it is out of order',
	async t => {
		const listeners: Parameters<CountsFeed['onCounted']>[0][] = [];
		const live = new LiveLists({
			warehouse: store.warehouse,
			feed: {instance: 1, watch: async () => {}, onCounted: listener => listeners.push(listener)},
		});
		const tell = (batchId: number, values: readonly string[]) => {
			const facts = values.map(() => 1);
			const brands = {datamartId: NOBODYS, dimension: 'BRAND', localDay: 20_000, part: 202410, values, facts};
			for (const listener of listeners) listener({batchId, counted: [brands]});
		};
		let isLive = false;
		const read = {
			onKnown: () => {
				isLive = true;
			},
		};
		const context = {datamart: {id: NOBODYS, timeZone: 'UTC'}, warehouse: store.warehouse, read};
		const valueLists = new ValueLists(store.warehouse, live);
		const ask = async () => {
			isLive = false;
			const request = ActivityReportRequest.parse({...BRANDS, metrics: [], max_results: 2});
			return (await activityReport({...context, valueLists}, request)).rows;
		};
		for (let asked = 0; asked < 100 && !isLive; asked++) await ask();
		const short = live.bytes;
		const long = (number: number) => `${String(number).padStart(6, '0')} ${'long '.repeat(60)}`;
		tell(
			1,
			Array.from({length: 3000}, (_, at) => long(at)),
		);
		t.true(live.bytes > short + 3000 * 2 * 300, `${short} and ${live.bytes}`);
		tell(1, [long(1)]);
		tell(2, [long(1)]);
		t.deepEqual(await ask(), [[long(1)], [long(0)]]);
		t.true(isLive);
		tell(
			3,
			Array.from({length: 3000}, (_, at) => long(9000 - at)),
		);
		t.deepEqual(await ask(), [], 'nothing is in the table');
		t.false(isLive);
	},
);

test.serial(
	'a batch of which one partition was written, and which is written again, counts once',
	async t => {
		const from = chance(23);
		let isFailing = true;
		const world: ValueWorld = valueWorld(
			{
				...store.warehouse,
				async write(block) {
					await store.warehouse.write(block);
					if (!isFailing) return;
					await store.warehouse.command(
						`ALTER TABLE ${VALUE_TABLE} DELETE WHERE part = 202610 AND (datamart_id = ${world.datamartId} OR datamart_id = 0 AND value = '1') SETTINGS mutations_sync = 1`,
					);
					throw new Error('the store is gone');
				},
			},
			'UTC',
		);
		const batch = drawBatch(world.datamartId, from, 200);
		await writeFacts(batch, store.warehouse);
		await t.throwsAsync(world.write(batch), {message: 'the store is gone'});
		const questions = ['BRAND', 'PRODUCT_ID', 'ORIGIN_SOURCE', 'CHANNEL_ID'].map(name => ({
			...BRANDS,
			dimensions: [{name}],
		}));
		// Read between the two tries.
		for (const question of questions) await untilLive(world, question);
		isFailing = false;
		await world.write(batch, {inDoubt: true, name: 'one-partition-short'});
		for (const question of questions) {
			const {answer, isLive, fromFacts} = await world.askLive(question);
			t.true(isLive);
			t.deepEqual(answer, fromFacts);
		}
	},
);

test.serial('many filters at once, and very long ones, are not looked for in memory', async t => {
	const world = valueWorld(store.warehouse, 'UTC');
	await write(world, drawBatch(world.datamartId, chance(3)));
	await untilLive(world, BRANDS);
	const like = (expression: string) => ({
		dimension_name: 'BRAND',
		operator: 'LIKE',
		expressions: [expression],
	});
	for (const filters of [Array.from({length: 5}, (_, at) => like(String(at))), [like('x'.repeat(1001))]]) {
		const clause = {dimension_filter_clauses: {operator: 'OR', filters}};
		t.false((await world.askLive({...BRANDS, ...clause})).isLive);
	}
});

test.serial('an order of its own, other conditions and pages far down are asked of the table', async t => {
	const world = valueWorld(store.warehouse, 'UTC');
	await write(world, drawBatch(world.datamartId, chance(3)));
	await untilLive(world, BRANDS);
	const like = {dimension_name: 'BRAND', operator: 'LIKE', expressions: ['a']};
	for (const more of [
		{order_by: {field_name: 'BRAND', sort_order: 'DESC'}},
		{first_result: 950, max_results: 100},
		{dimension_filter_clauses: {operator: 'OR', filters: [{...like, operator: 'EXACT'}]}},
		{dimension_filter_clauses: {operator: 'AND', filters: [{...like, dimension_name: 'TYPE'}]}},
	]) {
		const {answer, isLive, fromFacts} = await world.askLive({...BRANDS, ...more});
		t.false(isLive, JSON.stringify(more));
		t.deepEqual(answer, fromFacts);
	}
});

function asked<Row>(text: string, params: Record<string, readonly string[]>, row: z.ZodType<Row>) {
	const query = {name: 'test.texts', lane: 'heavy', row, build: () => ({text, params})} as const;
	return store.warehouse.read(query, undefined).then(({rows}) => rows);
}

test.serial('lower case is the engine’s, of every character and at the end of a word', async t => {
	t.timeout(120_000);
	const characters: string[] = [];
	for (let point = 1; point < 0x110000; point++) {
		if (point < 0xd800 || point > 0xdfff) characters.push(String.fromCodePoint(point));
	}
	const row = z.object({folded: z.array(z.string())});
	for (let from = 0; from < characters.length; from += 20_000) {
		const texts = characters.slice(from, from + 20_000).map(each => `A${each} ${each}B ${each}`);
		const folded = 'SELECT arrayMap(text -> lowerUTF8(text), {texts:Array(String)}) AS folded';
		const [answer] = await asked(folded, {texts}, row);
		t.deepEqual(
			answer!.folded,
			texts.map(text => text.toLowerCase()),
		);
	}
});

test.serial('texts and ids have the engine’s order', async t => {
	const from = chance(4);
	const piece = () =>
		from.pick([
			'0',
			'7',
			'10',
			'+',
			'-',
			'a',
			'B',
			'é',
			'\u{1f600}',
			'\ufffd',
			'\ue000',
			'999999999999',
			' ',
			'.',
		]);
	const texts = [
		...Array.from({length: 1500}, () => Array.from({length: from.whole(1, 4)}, piece).join('')),
		...['18446744073709551615', '18446744073709551616', '00018446744073709551615', '+5', '5', '05'],
	];
	const row = z.object({text: z.string()});
	const ordered = async (by: string) =>
		(await asked(`SELECT arrayJoin({texts:Array(String)}) AS text ORDER BY ${by}`, {texts}, row)).map(
			({text}) => text,
		);
	t.deepEqual(texts.toSorted(compareTexts), await ordered('text'));
	t.deepEqual(texts.toSorted(compareIds), await ordered('toUInt64OrNull(text) NULLS LAST, text'));
});
