import test from 'ava';
import {counts, DAY, fact, funnelWorld, step} from '../support/funnel.ts';

const world = funnelWorld(test);

const by = (event: string, ...dimensions: string[]) => step(event, {group_by_dimensions: dimensions});

test('each user point that reaches the split step is in exactly one group, best first, none last', async t => {
	const ask = await world.over([
		fact('view', {user: 1, dimensions: {CHANNEL_ID: ['b']}}),
		fact('view', {user: 2, dimensions: {CHANNEL_ID: ['a']}}),
		fact('buy', {user: 2, after: 1000, money: 5_000, dimensions: {CHANNEL_ID: ['z']}}),
		fact('view', {user: 3, dimensions: {CHANNEL_ID: ['b']}}),
		fact('view', {user: 4}),
		fact('leave', {user: 5, dimensions: {CHANNEL_ID: ['b']}}),
	]);

	const {global, grouped_by} = await ask([by('view', 'channel_id'), 'buy']);

	t.is(global.total, 5);
	t.deepEqual(
		grouped_by.map(({dimension_values, funnel}) => [dimension_values, funnel.total, counts(funnel)]),
		[
			[['b'], 2, [2, 0]],
			[['a'], 1, [1, 1]],
			[[null], 1, [1, 0]],
		],
	);
	t.deepEqual(grouped_by[1], {
		dimension_names: ['channel_id'],
		dimension_values: ['a'],
		dimension_name: 'channel_id',
		dimension_value: 'a',
		funnel: {
			total: 1,
			steps: [
				{name: 'view', count: 1, interaction_duration: 0},
				{name: 'buy', count: 1, interaction_duration: 1, conversion: 0, amount: 0.5},
			],
		},
	});
});

test('the limit keeps the best groups; without it the groups sum to the whole', async t => {
	const facts = Array.from({length: 30}, (_, user) =>
		fact('view', {user: user + 1, dimensions: {BRAND: [`brand${Math.floor(Math.sqrt(user))}`, 'second']}}),
	);
	const ask = await world.over(facts);

	const whole = await ask([by('view', 'BRAND')]);
	t.is(
		whole.grouped_by.reduce((sum, group) => sum + group.funnel.total, 0),
		whole.global.steps[0]!.count,
	);
	t.deepEqual(
		(await ask([by('view', 'BRAND')], {limit: 2})).grouped_by.map(group => group.dimension_value),
		['brand4', 'brand3'],
	);
	t.is((await ask([by('view', 'BRAND')], {number_of_parts_to_split_on: 3})).grouped_by.length, 3);
});

test('several split steps make one group per combination, a day among the dimensions', async t => {
	const ask = await world.over(
		[
			fact('view', {user: 1, dimensions: {TYPE: ['EMAIL']}}),
			fact('buy', {user: 1, after: DAY / 2 - 1}),
			fact('view', {user: 2, dimensions: {TYPE: ['EMAIL']}}),
			fact('buy', {user: 2, after: DAY / 2 + 4 * 3_600_000}),
			fact('view', {user: 3}),
		],
		{timeZone: 'America/New_York'},
	);

	const {grouped_by} = await ask([by('view', 'TYPE'), by('buy', 'DATE_YYYY_MM_DD', 'event_type')]);

	t.deepEqual(
		grouped_by.map(({dimension_names, dimension_values}) => [dimension_names, dimension_values]),
		[
			[
				['TYPE', 'DATE_YYYY_MM_DD', 'event_type'],
				['EMAIL', '2026-03-10', 'buy'],
			],
			[
				['TYPE', 'DATE_YYYY_MM_DD', 'event_type'],
				['EMAIL', '2026-03-11', 'buy'],
			],
		],
	);
	t.false('dimension_name' in grouped_by[0]!);
});

test('a value with a label carries it', async t => {
	const ask = await world.over([fact('view', {dimensions: {CHANNEL_ID: ['12']}})], {
		labelOf: (dimension, value) => (dimension === 'CHANNEL_ID' && value === '12' ? 'Shop' : undefined),
	});

	t.is((await ask([by('view', 'channel_id')])).grouped_by[0]?.dimension_decorator, 'Shop');
});

test('more than a thousand groups are refused rather than cut, unless a limit asks for the best', async t => {
	const facts = Array.from({length: 1001}, (_, user) =>
		fact('view', {user: user + 1, dimensions: {PRODUCT_ID: [`p${user}`]}}),
	);
	const ask = await world.over(facts);

	await t.throwsAsync(ask([by('view', 'product_id')]), {message: /more than 1000 groups/});
	t.is((await ask([by('view', 'product_id')], {limit: 1000})).grouped_by.length, 1000);
	await t.throwsAsync(ask([by('view', 'product_id')], {limit: 1001}), {message: /up to 1000/});
});
