import test from 'ava';
import {ask, chainOf, counts, eventIs, on, step, visit} from './story.ts';

const DAY_MS = 86_400_000;

test('steps count in order: the wrong way round is only the first step', t => {
	const answer = ask(
		[
			visit('ann', [
				['buy', on(5, '09:00')],
				['view', on(5, '11:00')],
			]),
			visit('bob', [
				['view', on(5, '09:00')],
				['other', on(5, '10:00')],
				['buy', on(5, '11:00')],
			]),
			visit('cat', [['other', on(5, '09:00')]]),
		],
		{for: [step('view'), step('buy')]},
	);

	t.is(answer.global.total, 3);
	t.deepEqual(counts(answer), [2, 1]);
	t.deepEqual(
		[...answer.chains].map(([userPoint, chain]) => [userPoint, chain.length]),
		[
			[1, 1],
			[2, 2],
			[3, 0],
		],
	);
});

test('one row never serves two steps, and the same step twice needs two rows', t => {
	const once = visit('ann', [['buy', on(5, '09:00')]]);

	t.deepEqual(counts(ask([once], {for: [step('buy'), step('buy')]})), [1, 0]);
	t.deepEqual(counts(ask([once, once], {for: [step('buy'), step('buy')]})), [1, 1]);
});

test('rows of the same millisecond follow one another by arrival, then by their place in the activity', t => {
	const at = on(5, '09:00');
	const view = visit('ann', [['view', at]]);
	const buy = visit('ann', [['buy', at]]);
	const both = visit('ann', [
		['buy', at],
		['view', at],
	]);
	const steps = {for: [step('view'), step('buy')]};

	t.deepEqual(counts(ask([view, buy], steps)), [1, 1]);
	t.deepEqual(counts(ask([buy, view], steps)), [1, 0]);
	t.deepEqual(counts(ask([both], steps)), [1, 0]);
});

test('the period holds its first midnight and not its last, and chains never leave it', t => {
	const history = [
		visit('ann', [
			['view', on(5, '00:00')],
			['buy', on(6, '00:00')],
		]),
		visit('bob', [['view', on(4, '23:59:59.999')]]),
	];
	const answer = ask(history, {
		for: [step('view'), step('buy')],
		in: {type: 'DATES', start_date: '2024-03-05', end_date: '2024-03-06'},
	});

	t.is(answer.global.total, 1);
	t.deepEqual(counts(answer), [1, 0]);
});

test('activities without identifiers are in no funnel', t => {
	t.is(ask([visit(null, [['view', on(5, '09:00')]])], {for: [step('view')]}).global.total, 0);
});

test('merged user points are one, with one timeline', t => {
	const answer = ask(
		[
			visit('ann', [['view', on(5, '09:00')]]),
			visit('annie', [['buy', on(5, '10:00')]]),
			visit('ann', [], {$ts: on(6, '09:00'), $user_agent_id: 'annie'}),
		],
		{for: [step('view'), step('buy')]},
	);

	t.is(answer.global.total, 1);
	t.deepEqual(counts(answer), [1, 1]);
});

test('without windows the chain is made of the earliest rows', t => {
	const answer = ask(
		[
			visit('ann', [
				['buy', on(1, '09:00')],
				['view', on(2, '09:00')],
				['view', on(3, '09:00')],
				['buy', on(4, '09:00')],
				['buy', on(5, '09:00')],
			]),
		],
		{for: [step('view'), step('buy')]},
	);

	t.deepEqual(chainOf(answer), [on(2, '09:00'), on(4, '09:00')]);
});

test('a window holds to the millisecond: exactly d days is inside, one more is not', t => {
	const bought = (elapsedMs: number) =>
		counts(
			ask(
				[
					visit('ann', [
						['view', on(5, '09:00')],
						['buy', on(5, '09:00') + elapsedMs],
					]),
				],
				{for: [step('view'), step('buy', {max_days_after_previous_step: 2})]},
			),
		);

	t.deepEqual(bought(2 * DAY_MS), [1, 1]);
	t.deepEqual(bought(2 * DAY_MS + 1), [1, 0]);
});

test('a window may be part of a day, told in decimals', t => {
	const history = [
		visit('ann', [
			['view', on(5, '09:00')],
			['buy', on(5, '09:00') + 60_480_000],
		]),
	];
	const within = (days: number) =>
		counts(ask(history, {for: [step('view'), step('buy', {max_days_after_previous_step: days})]}));

	t.deepEqual(within(0.7), [1, 1]);
	t.deepEqual(within(0.699), [1, 0]);
});

test('a window of 0 is none, and one on the first step has nothing to measure from', t => {
	const history = [
		visit('ann', [
			['view', on(1, '09:00')],
			['buy', on(30, '09:00')],
		]),
	];

	t.deepEqual(
		counts(
			ask(history, {
				for: [
					step('view', {max_days_after_previous_step: 1}),
					step('buy', {max_days_after_previous_step: 0}),
				],
			}),
		),
		[1, 1],
	);
});

test('with a window a later start may be the one that succeeds', t => {
	const answer = ask(
		[
			visit('ann', [
				['view', on(1, '09:00')],
				['view', on(9, '09:00')],
				['view', on(9, '10:00')],
				['buy', on(10, '08:00')],
			]),
		],
		{for: [step('view'), step('buy', {max_days_after_previous_step: 1})]},
	);

	// The earliest of those from which the purchase may follow.
	t.deepEqual(chainOf(answer), [on(9, '09:00'), on(10, '08:00')]);
	t.is(answer.global.steps[1]?.interaction_duration, 23 * 3600);
});

test('the last row is the earliest that can end the deepest chain, the others are found backwards from it', t => {
	const answer = ask(
		[
			visit('ann', [
				['view', on(1, '09:00')],
				['basket', on(1, '10:00')],
				['view', on(3, '09:00')],
				['basket', on(3, '10:00')],
				['basket', on(3, '11:00')],
				['buy', on(4, '10:30')],
				['buy', on(4, '12:00')],
			]),
		],
		{
			for: [step('view'), step('basket'), step('buy', {max_days_after_previous_step: 1})],
		},
	);

	// 3rd 10:00 is too early for the purchase by half an hour; the view may be any before: the first.
	t.deepEqual(chainOf(answer), [on(1, '09:00'), on(3, '11:00'), on(4, '10:30')]);
});

test('a user point that fails a later step keeps the chain of its deepest one', t => {
	const answer = ask(
		[
			visit('ann', [
				['view', on(1, '09:00')],
				['basket', on(1, '10:00')],
				['view', on(3, '09:00')],
				['basket', on(3, '10:00')],
			]),
		],
		{for: [step('view'), step('basket'), step('buy')]},
	);

	t.deepEqual(chainOf(answer), [on(1, '09:00'), on(1, '10:00')]);
});

test('the duration is the mean since the first step, in whole seconds rounded half up', t => {
	const buyAfter = (user: string, elapsedMs: number) =>
		visit(user, [
			['view', on(5, '09:00')],
			['buy', on(5, '09:00') + elapsedMs],
		]);
	const duration = (...elapsed: number[]) =>
		ask(
			elapsed.map((ms, user) => buyAfter(`u${user}`, ms)),
			{for: [step('view'), step('buy'), step('never')]},
		).global.steps.map(one => one.interaction_duration);

	t.deepEqual(duration(1000, 2000), [0, 2, 0]);
	t.deepEqual(duration(1000, 1998), [0, 1, 0]);
	t.deepEqual(duration(499), [0, 0, 0]);
	t.deepEqual(duration(500), [0, 1, 0]);
});

test('conversion and amount are those of the rows of the chain, not of others that match', t => {
	const answer = ask(
		[
			visit('ann', [
				['view', on(5, '09:00'), {$amount: 1000}],
				['buy', on(5, '10:00'), {$items: [{$price: 10, $qty: 2}, {$price: 0.5}]}],
				['buy', on(5, '11:00'), {$amount: 7, $items: [{$qty: 50}]}],
			]),
			visit('bob', [
				['view', on(5, '09:00')],
				['buy', on(5, '10:00'), {$amount: 0.1}],
			]),
		],
		{for: [step('view'), step('buy'), step('never')]},
	);

	t.deepEqual(answer.global.steps, [
		{name: 'view', count: 2, interaction_duration: 0},
		{name: 'buy', count: 2, interaction_duration: 3600, conversion: 3, amount: 20.6},
		{name: 'never', count: 0, interaction_duration: 0, conversion: 0, amount: 0},
	]);
});

test('an absent clause, in either spelling, makes a step of any row', t => {
	const history = [visit('ann', [['view', on(5, '09:00')]]), visit('ann', [], {$ts: on(6, '09:00')})];

	t.deepEqual(counts(ask(history, {for: [{name: 'a'}, {name: 'b', filter_clause: null}]})), [1, 1]);
	t.deepEqual(counts(ask(history, {for: [{name: 'a', filterClause: eventIs('other')}]})), [0]);
});

test('a segment is asked of the user point', t => {
	const members = [{dimension_name: 'SEGMENT_ID', operator: 'EXACT', expressions: ['7']}];
	const answer = (not: boolean) =>
		ask(
			[visit('ann', [['view', on(5, '09:00')]]), visit('bob', [['view', on(5, '09:00')]])],
			{for: [{name: 'members', filter_clause: {operator: 'AND', filters: [{...members[0]!, not}]}}]},
			{segmentsOf: userPoint => (userPoint === 1 ? ['7'] : [])},
		);

	t.deepEqual(
		[false, true].map(not => [...answer(not).chains.values()].map(chain => chain.length)),
		[
			[1, 0],
			[0, 1],
		],
	);
});

test('one to 32 steps may be asked', t => {
	const events = Array.from({length: 32}, (_, i) => ['view', on(5, '09:00') + i] as const);
	const steps = (count: number) => ({for: Array.from({length: count}, () => step('view'))});

	t.deepEqual(counts(ask([visit('ann', events)], steps(32))).at(-1), 1);
	t.deepEqual(counts(ask([visit('ann', events.slice(1))], steps(32))).slice(-2), [1, 0]);
	t.throws(() => ask([], steps(33)));
	t.throws(() => ask([], steps(0)));
});
