import {availableParallelism} from 'node:os';
import test from 'ava';
import {SplitWords} from '../../src/analytics/funnel/split-words.ts';
import {FactStretches} from '../../src/analytics/funnel/stretches.ts';
import {DomainError} from '../../src/errors.ts';
import type {Warehouse, WarehouseQuery} from '../../src/warehouse/warehouse.ts';
import {insertFacts} from '../support/facts.ts';
import {counts, DAY, fact, funnelWorld, step} from '../support/funnel.ts';
import {tellWords} from '../support/told-words.ts';

const world = funnelWorld(test);

const inStretches = {of: async () => ({borders: ['3'], threads: 1})};
const MARCH = {fromMs: Date.UTC(2026, 2, 1), untilMs: Date.UTC(2026, 3, 1)};
/** Shards have a way of their own, without words (docs/adr/0039). */
const onOneServer = process.env.TEST_SHARDS ? test.skip : test;

/** The names of the questions that are put to a warehouse. */
function overheard(warehouse: Warehouse) {
	const names: string[] = [];
	const told: Warehouse = {
		...warehouse,
		async read(query, input, options) {
			names.push(query.name);
			return warehouse.read(query, input, options);
		},
	};
	return {names, warehouse: told};
}

test('a large datamart is read in stretches of about equal size, which are remembered; a small one is not', async t => {
	const ask = await world.over(
		Array.from({length: 60_000}, (_, nth) => fact('view', {user: 1 + (nth % 20_000)})),
	);
	const {datamart} = ask.context;
	const {names, warehouse} = overheard(world.store.warehouse);

	const stretches = new FactStretches(warehouse, 50_000);
	const [found, again] = await Promise.all([
		stretches.of(datamart.id, MARCH),
		stretches.of(datamart.id, MARCH),
	]);

	if (availableParallelism() === 1) {
		t.is(found, undefined);
	} else {
		const borders = found!.borders.map(Number);
		t.deepEqual(
			borders,
			borders.toSorted((one, other) => one - other),
		);
		t.true(
			borders.every(border => border > 1 && border <= 20_000),
			`${borders}`,
		);
		t.true(found!.threads >= 1);
	}
	t.is(again, found);
	t.deepEqual(names, ['funnel.stretches']);
	t.is(await new FactStretches(warehouse, 1_000_000).of(datamart.id, MARCH), undefined);
	t.is(await stretches.of(4_000_000, MARCH), undefined);
});

test('of a large datamart a short period is read in one scan', async t => {
	const answer = {threads: 2, facts: 3_000_000, from_ms: MARCH.fromMs, until_ms: MARCH.untilMs};
	const large = {
		...world.store.warehouse,
		read: async () => ({rows: [{...answer, user_points: ['1', '2', '3', '4', '5']}]}),
	} as unknown as Warehouse;
	const stretches = new FactStretches(large);

	t.deepEqual(await stretches.of(1, MARCH), {borders: ['3'], threads: 1});
	t.is(await stretches.of(1, {...MARCH, fromMs: MARCH.untilMs - 10 * DAY}), undefined);
	t.is(await stretches.of(1, {fromMs: MARCH.untilMs, untilMs: MARCH.untilMs + 365 * DAY}), undefined);
	t.deepEqual((await stretches.of(1, {...MARCH, fromMs: MARCH.untilMs - 11 * DAY}))?.borders, ['3']);
});

test('an engine that does not tell how its facts lie is asked in one scan', async t => {
	const silent = {
		...world.store.warehouse,
		read: async () => Promise.reject(new DomainError('query_failed', 'no such function')),
	} as Warehouse;
	t.is(await new FactStretches(silent, 0).of(1, MARCH), undefined);

	const broken = {
		...world.store.warehouse,
		read: async () => Promise.reject(new TypeError('a fault')),
	} as Warehouse;
	await t.throwsAsync(new FactStretches(broken, 0).of(1, MARCH), {instanceOf: TypeError});
});

test('people of every stretch are counted once, those whose rows lie in two since they were merged as well', async t => {
	const facts = Array.from({length: 6}, (_, nth) => [
		fact('view', {user: 101 + nth}),
		fact('buy', {user: 101 + nth, after: 1000}),
	]).flat();
	// 200 was merged into 101: its view is the first of the two.
	const ask = await world.over([...facts, fact('view', {user: 200, after: -DAY})]);
	await world.store.warehouse.command(
		'INSERT INTO user_point_merges_v1 (user_point_id, into_user_point_id, merge_sequence) VALUES (200, 101, 1)',
	);
	await world.store.warehouse.command('SYSTEM RELOAD DICTIONARY user_point_merges');

	const whole = await ask(['view', 'buy']);
	const again = await world.over([], {
		...ask.context,
		stretches: {of: async () => ({borders: ['103', '150'], threads: 1})},
	});
	const parted = await again(['view', 'buy']);

	t.deepEqual(counts(whole.global), [6, 6]);
	t.deepEqual(parted, whole);
	t.is(parted.global.steps[1]!.interaction_duration, Math.floor((5 + 86_401) / 6));
});

onOneServer(
	'a split goes by the words that are known, and by the values themselves once a newer one is met',
	async t => {
		const split = [step('view', {group_by_dimensions: ['CHANNEL_ID', 'TYPE']}), 'buy'];
		const seen = (user: number, channel: string, type = 'SITE_VISIT') => [
			fact('view', {user, dimensions: {CHANNEL_ID: [channel], TYPE: [type]}}),
			fact('buy', {user, after: 1000, dimensions: {CHANNEL_ID: ['else'], TYPE: [type]}}),
		];
		const ask = await world.over([
			...seen(1, 'a'),
			...seen(2, "b'\\"),
			...seen(3, 'a', 'APP_VISIT'),
			fact('view', {user: 4}),
		]);
		const {datamart} = ask.context;
		await tellWords(world.store.warehouse, datamart.id, 'true');
		const {names, warehouse} = overheard(world.store.warehouse);
		const words = new SplitWords(warehouse);
		const fast = async () =>
			(await world.over([], {datamart, warehouse, stretches: inStretches, words}))(split);
		const steps = () => names.splice(0).filter(name => name === 'funnel.steps').length;

		t.deepEqual(await fast(), await ask(split));
		t.is(steps(), 1);
		t.deepEqual(
			(await fast()).grouped_by.map(group => [group.dimension_values, counts(group.funnel)]),
			[
				[
					['a', 'APP_VISIT'],
					[1, 1],
				],
				[
					['a', 'SITE_VISIT'],
					[1, 1],
				],
				[
					["b'\\", 'SITE_VISIT'],
					[1, 1],
				],
				[
					[null, null],
					[1, 0],
				],
			],
		);
		steps();

		await insertFacts(world.store.warehouse, datamart.id, seen(9, 'new'));
		const after = await fast();
		t.is(steps(), 2);
		t.deepEqual(after, await ask(split));
		t.true(after.grouped_by.some(group => group.dimension_values[0] === 'new'));
		steps();

		t.deepEqual(await fast(), after);
		t.is(steps(), 1, 'the list is not trusted for a while');
		t.deepEqual(
			await (
				await world.over([], {datamart, warehouse, stretches: inStretches, words: new SplitWords(warehouse)})
			)(split),
			after,
		);
		t.is(steps(), 2);
	},
);

onOneServer('words that no mark has room for are carried as they are', async t => {
	const many = Array.from({length: 300}, (_, nth) =>
		fact('view', {user: 1 + nth, dimensions: {GOAL_ID: [`goal ${nth % 150}`]}}),
	);
	const ask = await world.over([...many, fact('buy', {user: 7, after: 1000})]);
	const {datamart} = ask.context;
	await tellWords(world.store.warehouse, datamart.id, 'true');
	const built: string[] = [];
	const warehouse: Warehouse = {
		...world.store.warehouse,
		read: (query, input, options) => {
			const build: typeof query.build = asked => {
				const statement = query.build(asked);
				built.push(statement.text);
				return statement;
			};
			return world.store.warehouse.read(
				{...query, build} as WarehouseQuery<typeof input, never>,
				input,
				options,
			);
		},
	};
	const split = [step('view', {group_by_dimensions: ['GOAL_ID']}), 'buy'];
	const over = (start_date: string, end_date: string) => ({in: {type: 'DATES', start_date, end_date}});
	const words = new SplitWords(warehouse);
	const fast = await world.over([], {datamart, warehouse, stretches: inStretches, words});

	// Of 64 bits 22 lie below the millisecond, 2 tell the step and 8 the word: 32 are left, 49 days.
	for (const [period, isCoded] of [
		[over('2026-03-01', '2026-03-24'), true],
		[over('2020-03-01', '2026-04-01'), false],
	] as const) {
		built.length = 0;
		t.deepEqual(await fast(split, {...period, limit: 200}), await ask(split, {...period, limit: 200}));
		t.is(built.at(-1)!.includes('unknown_words'), isCoded);
	}
});
