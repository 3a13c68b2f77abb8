import test from 'ava';
import type {GroupEntry} from './funnel.ts';
import {ask, on, step, visit} from './story.ts';

const nine = on(5, '09:00');
const ten = on(5, '10:00');

function sizes(groups: readonly GroupEntry[]): [string | null, ...number[]][] {
	return groups.map(({dimension_values, funnel}) => [
		dimension_values[0] ?? null,
		funnel.total,
		...funnel.steps.map(({count}) => count),
	]);
}

const viewAndBuy = [
	visit('ann', [
		['view', nine, {$brand: 'b'}],
		['view', ten, {$brand: 'a'}],
		['buy', on(5, '11:00'), {$amount: 4}],
	]),
	visit('bob', [
		['view', nine, {$items: [{$brand: ''}, {$brand: 'a'}, {$brand: 'z'}]}],
		['buy', ten, {$amount: 3}],
	]),
	visit('cat', [['view', nine, {$brand: 'a'}]]),
	visit('dan', [['view', nine]]),
	visit('eve', [['buy', nine]]),
];

test('who reaches the split step is in one group, by the first value on the row of the chain', t => {
	const {global, grouped_by} = ask(viewAndBuy, {
		for: [step('view', {group_by_dimensions: ['brand']}), step('buy')],
	});

	t.is(global.steps[0]?.count, 4);
	// Best first; of equals by value, nothing last.
	t.deepEqual(sizes(grouped_by), [
		['a', 2, 2, 1],
		['b', 1, 1, 1],
		[null, 1, 1, 0],
	]);
	t.deepEqual(grouped_by[1], {
		dimension_names: ['brand'],
		dimension_values: ['b'],
		dimension_name: 'brand',
		dimension_value: 'b',
		funnel: {
			total: 1,
			steps: [
				{name: 'view', count: 1, interaction_duration: 0},
				{name: 'buy', count: 1, interaction_duration: 7200, conversion: 0, amount: 4},
			],
		},
	});
});

test('a dimension asked twice of one step, in both spellings, splits it once', t => {
	const {grouped_by} = ask(viewAndBuy, {
		for: [step('view', {group_by_dimensions: ['brand'], group_by_dimension: 'BRAND'})],
	});

	t.deepEqual(grouped_by[0]?.dimension_names, ['brand']);
});

test('a limit keeps the best groups, and the older name of it serves when it is absent', t => {
	const groups = (more: object) =>
		sizes(
			ask(viewAndBuy, {for: [step('view', {group_by_dimension: 'BRAND'}), step('buy')], ...more}).grouped_by,
		);

	t.deepEqual(
		groups({limit: 2, number_of_parts_to_split_on: 1}).map(([value]) => value),
		['a', 'b'],
	);
	t.deepEqual(
		groups({number_of_parts_to_split_on: 1}).map(([value]) => value),
		['a'],
	);
	t.is(groups({}).length, 3);
});

test('a split at a later step keeps all steps, for those who arrive there', t => {
	const {grouped_by} = ask(viewAndBuy, {
		for: [step('view'), step('buy', {group_by_dimensions: ['DATE_YYYY_MM_DD']})],
	});

	t.deepEqual(sizes(grouped_by), [['2024-03-05', 2, 2, 2]]);
});

test('several split steps make one group per combination, for those who reach them all', t => {
	const {grouped_by} = ask(viewAndBuy, {
		for: [
			step('view', {group_by_dimensions: ['BRAND', 'CHANNEL_ID']}),
			step('buy', {group_by_dimension: 'DATE_YYYY_MM_DD'}),
		],
	});

	t.deepEqual(
		grouped_by.map(({dimension_names, dimension_values, funnel}) => [
			dimension_names,
			dimension_values,
			funnel.total,
		]),
		[
			[['BRAND', 'CHANNEL_ID', 'DATE_YYYY_MM_DD'], ['a', '1', '2024-03-05'], 1],
			[['BRAND', 'CHANNEL_ID', 'DATE_YYYY_MM_DD'], ['b', '1', '2024-03-05'], 1],
		],
	);
	t.false('dimension_name' in grouped_by[0]!);
});

test('a date is a day of the datamart, and a value may have a label', t => {
	const {grouped_by} = ask(
		[visit('ann', [['view', on(5, '23:30')]])],
		{for: [step('view', {group_by_dimensions: ['date_yyyy_mm_dd']})]},
		{timeZone: 'Europe/Paris', labelOf: (dimension, value) => `${dimension}: ${value}`},
	);

	t.is(grouped_by[0]?.dimension_value, '2024-03-06');
	t.is(grouped_by[0]?.dimension_decorator, 'DATE_YYYY_MM_DD: 2024-03-06');
});

test('a null among values that tie comes last, and values go by their bytes', t => {
	const view = (brand: string | null) => visit(`${brand}`, [['view', nine, {$brand: brand}]]);
	const {grouped_by} = ask(['é', null, '\u{1f600}', '\uffee', 'Z', 'a'].map(view), {
		for: [step('view', {group_by_dimensions: ['BRAND']})],
	});

	t.deepEqual(
		grouped_by.map(group => group.dimension_value),
		['Z', 'a', 'é', '\uffee', '\u{1f600}', null],
	);
});

test('nothing is split when no step asks', t => {
	t.deepEqual(ask(viewAndBuy, {for: [step('view')]}).grouped_by, []);
});
