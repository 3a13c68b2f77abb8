import test from 'ava';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {listFunnelChains} from '../../src/analytics/funnel/funnel.ts';
import {insertFacts} from '../support/facts.ts';
import {body, counts, DAY, fact, funnelWorld, MINUTE, only, step} from '../support/funnel.ts';

const world = funnelWorld(test);

test('a user who does the steps in the wrong order counts only for the first', async t => {
	const ask = await world.over([fact('buy'), fact('view', {after: MINUTE})]);

	const {global} = await ask(['view', 'buy']);

	t.is(global.total, 1);
	t.deepEqual(counts(global), [1, 0]);
});

test('the whole answer, as on the wire', async t => {
	const ask = await world.over([
		fact('view', {user: 1}),
		fact('buy', {user: 1, after: MINUTE, money: 123_456, units: 20_000}),
		fact('view', {user: 2}),
		fact('buy', {user: 2, after: 2 * MINUTE + 1000, money: 1, units: 5_000}),
		fact('view', {user: 3}),
		fact('leave', {user: 4}),
		fact('view', {user: 0}),
		fact('buy', {user: 0, after: MINUTE, money: 10_000}),
	]);

	t.deepEqual(await ask(['view', 'buy', 'again']), {
		global: {
			total: 4,
			steps: [
				{name: 'view', count: 3, interaction_duration: 0},
				{name: 'buy', count: 2, interaction_duration: 91, conversion: 2.5, amount: 12.3457},
				{name: 'again', count: 0, interaction_duration: 0, conversion: 0, amount: 0},
			],
		},
		grouped_by: [],
	});
});

test('one row never serves two steps, and rows of one millisecond follow each other in order of arrival', async t => {
	const ask = await world.over([
		fact('view', {user: 1, tie: 1}),
		fact('view', {user: 2, tie: 2}),
		fact('view', {user: 2, tie: 3}),
		fact('buy', {user: 3, tie: 4}),
		fact('view', {user: 3, tie: 5}),
	]);

	t.deepEqual(counts((await ask(['view', 'view'])).global), [3, 1]);
	t.deepEqual(counts((await ask(['view', 'view', 'view'])).global), [3, 1, 0]);
	t.deepEqual(counts((await ask(['view', 'buy'])).global), [3, 0]);
	t.deepEqual(counts((await ask(['buy', 'view'])).global), [1, 1]);
});

test('a step without a clause is met by every row', async t => {
	const ask = await world.over([fact('a'), fact('b', {after: 1}), fact('c', {user: 2})]);

	t.deepEqual(counts((await ask([{name: 'any'}, {name: 'then', filter_clause: null}])).global), [2, 1]);
	t.deepEqual(counts((await ask([{name: 'any', filterClause: only('EVENT_TYPE', 'b')}])).global), [1]);
});

test('a window is kept to the millisecond, and 0 or null demands nothing', async t => {
	const ask = await world.over([
		fact('view', {user: 1}),
		fact('buy', {user: 1, after: 2 * DAY}),
		fact('view', {user: 2}),
		fact('buy', {user: 2, after: 2 * DAY + 1}),
	]);
	const within = async (days: number | null) =>
		counts((await ask(['view', step('buy', {max_days_after_previous_step: days})])).global)[1];

	t.is(await within(2), 1);
	t.is(await within(2.5), 2);
	t.is(await within(0), 2);
	t.is(await within(null), 2);
	t.is(await within(1e9), 2);
});

test('a later start may be the one that succeeds within the windows', async t => {
	const ask = await world.over([
		fact('view', {after: 0}),
		fact('cart', {after: DAY}),
		fact('view', {after: 5 * DAY}),
		fact('cart', {after: 5 * DAY + MINUTE}),
		fact('buy', {after: 6 * DAY}),
	]);

	const {global} = await ask([
		'view',
		step('cart', {max_days_after_previous_step: 1}),
		step('buy', {max_days_after_previous_step: 1}),
	]);

	t.deepEqual(counts(global), [1, 1, 1]);
	t.deepEqual(
		global.steps.map(each => each.interaction_duration),
		[0, 60, 86_400],
	);
});

test('an exclusion breaks a chain only strictly between its two steps', async t => {
	const ask = await world.over([
		fact('view', {user: 1}),
		fact('leave', {user: 1, after: 1}),
		fact('buy', {user: 1, after: 2}),
		fact('leave', {user: 2}),
		fact('view', {user: 2, after: 1}),
		fact('buy', {user: 2, after: 2}),
		fact('leave', {user: 2, after: 3}),
		fact('view', {user: 3}),
		fact('leave', {user: 3, after: 1}),
		fact('view', {user: 3, after: 2}),
		fact('buy', {user: 3, after: 3}),
	]);
	const without = (events: string[]) => ({
		exclusions: [{after_step: 1, filter_clause: only('EVENT_TYPE', ...events)}],
	});

	t.deepEqual(counts((await ask(['view', 'buy'])).global), [3, 3]);
	t.deepEqual(counts((await ask(['view', 'buy'], without(['leave']))).global), [3, 2]);
	t.deepEqual(counts((await ask(['view', 'buy'], without(['view', 'buy']))).global), [3, 3]);
});

test('the period starts at local midnight and ends before that of end_date', async t => {
	const midnight = Date.UTC(2026, 2, 9, 23);
	const at = (ts: number) => ({...fact('view', {user: ts}), ts});
	const ask = await world.over([at(midnight - 1), at(midnight), at(midnight + DAY - 1), at(midnight + DAY)], {
		timeZone: 'Europe/Paris',
	});
	const over = async (start_date: string, end_date: string) =>
		(await ask(['view'], {in: {type: 'DATES', start_date, end_date}})).global.total;

	t.is(await over('2026-03-10', '2026-03-11'), 2);
	t.is(await over('2026-03-10', '2026-03-12'), 3);
	t.is(await over('2026-03-10', '2026-03-10'), 0);
	t.is(await over('0001-01-01', '9999-12-31'), 4);
});

test('a period of a hundred years keeps its windows exact', async t => {
	const ask = await world.over([
		fact('view'),
		fact('buy', {after: DAY}),
		fact('buy', {after: DAY + 1, user: 2}),
		fact('view', {user: 2}),
	]);
	const {global} = await ask(['view', step('buy', {max_days_after_previous_step: 1})], {
		in: {type: 'DATES', start_date: '1990-01-01', end_date: '2090-01-01'},
	});

	t.deepEqual(counts(global), [2, 1]);
	t.is(global.steps[1]?.interaction_duration, 86_400);
});

test('the last days end with the end of today', async t => {
	const ask = await world.over(
		[fact('view'), fact('view', {user: 2, after: -6 * DAY}), fact('view', {user: 3, after: -7 * DAY})],
		{
			now: Date.UTC(2026, 2, 10, 1),
		},
	);

	t.is((await ask(['view'], {in: {type: 'WINDOW', unit: 'DAY', offset: 7}})).global.total, 2);
	t.is((await ask(['view'], {in: {type: 'WINDOW', unit: 'WEEK', offset: 2}})).global.total, 3);
});

test('nothing in the period is zeros with every step present, never an empty list', async t => {
	const ask = await world.over([]);
	const empty = {
		global: {
			total: 0,
			steps: [
				{name: 'view', count: 0, interaction_duration: 0},
				{name: 'buy', count: 0, interaction_duration: 0, conversion: 0, amount: 0},
			],
		},
		grouped_by: [],
	};

	t.deepEqual(await ask(['view', 'buy']), empty);
	t.deepEqual(
		await ask(['view', step('buy', {max_days_after_previous_step: 1, group_by_dimensions: ['brand']})]),
		empty,
	);
});

test('merged user points count as one, their past activities included', async t => {
	const ask = await world.over([fact('view', {user: 71}), fact('buy', {user: 72, after: MINUTE})]);
	t.deepEqual(counts((await ask(['view', 'buy'])).global), [1, 0]);

	const {warehouse} = world.store;
	await warehouse.command('INSERT INTO user_point_merges_v1 VALUES (72, 71, 1)');
	await warehouse.command('SYSTEM RELOAD DICTIONARY user_point_merges');

	const {global} = await ask(['view', 'buy']);
	t.is(global.total, 1);
	t.deepEqual(counts(global), [1, 1]);
	const chains = await listFunnelChains(ask.context, FunnelRequest.parse(body(['view', 'buy'])));
	t.deepEqual(
		chains.map(chain => [chain.user_point, chain.positions.length]),
		[['71', 2]],
	);
});

test('a step may ask for members of a segment, the members merged since included', async t => {
	const ask = await world.over([
		fact('view', {user: 81}),
		fact('buy', {user: 81, after: MINUTE}),
		fact('view', {user: 82}),
		fact('buy', {user: 83, after: MINUTE}),
	]);
	const {warehouse} = world.store;
	const {id} = ask.context.datamart;
	await warehouse.command('INSERT INTO user_point_merges_v1 VALUES (83, 82, 1)');
	await warehouse.command('SYSTEM RELOAD DICTIONARY user_point_merges');
	await warehouse.command(`INSERT INTO user_segments_v1 VALUES (${id}, 'vip', 83, 18446744073709551615)`);
	const member = {name: 'member', filter_clause: only('SEGMENT_ID', 'vip')};

	t.deepEqual(counts((await ask([member, member, 'buy'])).global), [1, 1, 0]);
	t.deepEqual(counts((await ask(['view', 'buy', member])).global), [2, 2, 0]);
	t.deepEqual(counts((await ask(['view', {...member, max_days_after_previous_step: 1}])).global), [2, 1]);
});

test('facts of another datamart are never counted', async t => {
	const ask = await world.over([fact('view')]);
	await insertFacts(world.store.warehouse, 4_000_000, [fact('view', {user: 9}), fact('view', {user: 10})]);

	t.is((await ask(['view'])).global.total, 1);
	t.deepEqual(counts((await ask([step("view' OR 1=1 --")])).global), [0]);
});

test('32 steps, windows on all of them, answer in one statement', async t => {
	const steps = Array.from({length: 32}, (_, at) => at);
	const ask = await world.over(steps.map(at => fact(`e${at % 5}`, {after: at * DAY * 0.5, money: 10_000})));
	const ofSteps = (days: number) => steps.map(at => step(`e${at % 5}`, {max_days_after_previous_step: days}));

	for (const days of [0, 0.5]) {
		const {global} = await ask(ofSteps(days));
		t.deepEqual(new Set(counts(global)), new Set([1]));
		t.is(global.steps[31]?.interaction_duration, 31 * 43_200);
		t.is(global.steps[31]?.amount, 1);
	}
	t.deepEqual(counts((await ask(ofSteps(0.4))).global).slice(0, 3), [1, 0, 0]);
});
