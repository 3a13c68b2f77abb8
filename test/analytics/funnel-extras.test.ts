import test from 'ava';
import {isSampled} from '../oracle/samples.ts';
import {counts, DAY, fact, funnelWorld, MINUTE, only, step} from '../support/funnel.ts';

const world = funnelWorld(test);

const product = (...ids: string[]) => ({PRODUCT_ID: ids});

test('a chain keeps to one product: looking at one and buying another is no purchase of it', async t => {
	const ask = await world.over([
		fact('view', {user: 1, dimensions: product('a', 'b')}),
		fact('buy', {user: 1, after: MINUTE, dimensions: product('c', 'b'), money: 10_000}),
		fact('view', {user: 2, dimensions: product('a')}),
		fact('buy', {user: 2, after: MINUTE, dimensions: product('b'), money: 10_000}),
		fact('view', {user: 3}),
		fact('buy', {user: 3, after: MINUTE}),
		fact('leave', {user: 4, dimensions: product('a')}),
	]);

	t.deepEqual(counts((await ask(['view', 'buy'])).global), [3, 3]);
	const {global} = await ask(['view', 'buy'], {holding_dimension: 'product_id'});
	t.is(global.total, 4, 'those without a value are still there');
	t.deepEqual(counts(global), [2, 1]);
	t.is(global.steps[1]?.amount, 1);
});

test('of several values the one that leads furthest is reported, then the one that ends first', async t => {
	const ask = await world.over([
		fact('view', {dimensions: product('slow'), money: 7}),
		fact('view', {after: 1000, dimensions: product('quick'), money: 7}),
		fact('view', {after: 2000, dimensions: product('never')}),
		fact('buy', {after: 10_000, dimensions: product('quick'), money: 20_000}),
		fact('buy', {after: 60_000, dimensions: product('slow'), money: 50_000}),
		fact('again', {after: 90_000, dimensions: product('slow')}),
	]);

	const two = await ask(['view', 'buy'], {holding_dimension: 'PRODUCT_ID'});
	t.like(two.global.steps[1], {count: 1, interaction_duration: 9, amount: 2});
	const three = await ask(['view', 'buy', 'again'], {holding_dimension: 'PRODUCT_ID'});
	t.like(three.global.steps[1], {count: 1, interaction_duration: 60, amount: 5});
	const windows = await ask(['view', step('buy', {max_days_after_previous_step: 20_000 / DAY}), 'again'], {
		holding_dimension: 'PRODUCT_ID',
	});
	t.deepEqual(counts(windows.global), [1, 1, 0]);
	t.is(windows.global.steps[1]?.amount, 2);
});

test('what is excluded breaks a held chain whatever value it carries, or none', async t => {
	const facts = (user: number, leaving: object) => [
		fact('view', {user, dimensions: product('a')}),
		fact('leave', {user, after: 1, ...leaving}),
		fact('buy', {user, after: 2, dimensions: product('a', 'b')}),
	];
	const ask = await world.over([
		...facts(1, {dimensions: product('a')}),
		...facts(2, {dimensions: product('z', 'b')}),
		...facts(3, {}),
		fact('view', {user: 4, dimensions: product('a')}),
		fact('buy', {user: 4, after: 2, dimensions: product('a')}),
	]);
	const exclusions = [{after_step: 1, filter_clause: only('EVENT_TYPE', 'leave')}];

	t.deepEqual(counts((await ask(['view', 'buy'], {exclusions})).global), [4, 1]);
	t.deepEqual(
		counts((await ask(['view', 'buy'], {exclusions, holding_dimension: 'product_id'})).global),
		[4, 1],
	);
});

test('a chain of one local day', async t => {
	const ask = await world.over(
		[
			fact('view', {user: 1}),
			fact('buy', {user: 1, after: 10 * 3_600_000}),
			fact('view', {user: 2}),
			fact('buy', {user: 2, after: 13 * 3_600_000}),
		],
		{timeZone: 'Europe/Paris'},
	);

	t.deepEqual(counts((await ask(['view', 'buy'], {holding_dimension: 'date_yyyy_mm_dd'})).global), [2, 1]);
});

test('a held chain may be split, and its groups sum to the whole', async t => {
	const ask = await world.over([
		fact('view', {user: 1, dimensions: {...product('a', 'b'), CHANNEL_ID: ['x']}}),
		fact('buy', {user: 1, after: 1, dimensions: {...product('b'), CHANNEL_ID: ['y']}}),
		fact('view', {user: 2, dimensions: {...product('a'), CHANNEL_ID: ['x']}}),
	]);

	const {grouped_by} = await ask([step('view', {group_by_dimension: 'product_id'}), 'buy'], {
		holding_dimension: 'product_id',
	});

	t.deepEqual(
		grouped_by.map(group => [group.dimension_value, counts(group.funnel)]),
		[['a', [2, 1]]],
		'the group is the first value of the row, not the value held',
	);
});

test('how long a step took: the median, and how many within which time', async t => {
	const took = [400, 1000, 61_000, 3 * DAY];
	const ask = await world.over(
		took.flatMap((ms, user) => [
			fact('view', {user: user + 1, tie: 2 * user, after: -3 * DAY}),
			fact('buy', {user: user + 1, tie: 2 * user + 1, after: ms - 3 * DAY}),
		]),
	);

	const {global} = await ask(['view', 'buy', 'never'], {time_to_convert: true});
	const [first, second, third] = global.steps.map(each => each.time_to_convert!);

	t.is(second!.median, 31);
	t.deepEqual(
		second!.histogram.filter(bucket => bucket.count > 0),
		[
			{from: 0, until: 1, count: 1},
			{from: 1, until: 5, count: 1},
			{from: 60, until: 120, count: 1},
			{from: 259_200, until: 604_800, count: 1},
		],
	);
	t.deepEqual(second!.histogram.at(-1), {from: 7_776_000, until: null, count: 0});
	t.deepEqual([first!.median, first!.histogram[0]!.count], [0, 4]);
	t.deepEqual([third!.median, third!.histogram.reduce((sum, bucket) => sum + bucket.count, 0)], [0, 0]);
	t.false('time_to_convert' in (await ask(['view'])).global.steps[0]!);
	const nothing = await ask(['view'], {
		time_to_convert: true,
		in: {type: 'DATES', start_date: '2026-03-01', end_date: '2026-03-01'},
	});
	t.is(nothing.global.steps[0]?.time_to_convert?.histogram.length, second!.histogram.length);
});

test('each group has times of its own', async t => {
	const ask = await world.over([
		fact('view', {user: 1, dimensions: {CHANNEL_ID: ['x']}}),
		fact('buy', {user: 1, after: 5000}),
		fact('view', {user: 2, dimensions: {CHANNEL_ID: ['y']}}),
		fact('buy', {user: 2, after: 9000}),
	]);

	const {grouped_by} = await ask([step('view', {group_by_dimensions: ['channel_id']}), 'buy'], {
		time_to_convert: true,
	});

	t.deepEqual(
		grouped_by.map(({funnel}) => funnel.steps[1]?.time_to_convert?.median),
		[5, 9],
	);
});

test('a sample looks at a share of the user points, scales what it found, and says so', async t => {
	const users = Array.from({length: 2000}, (_, index) => index + 1);
	const ask = await world.over(
		users.flatMap(user => [
			fact('view', {user, dimensions: {CHANNEL_ID: [user % 2 ? 'odd' : 'even']}}),
			fact('buy', {user, after: 1000, money: 10_000}),
		]),
	);
	const share = users.filter(user => isSampled(user, 0.25)).length;
	const steps = [step('view', {group_by_dimensions: ['channel_id']}), 'buy'];

	const {global, sampling, grouped_by} = await ask(steps, {sample_factor: 0.25});

	t.true(share > 400 && share < 600);
	t.deepEqual(sampling, {sample_factor: 0.25, user_points: share});
	t.is(global.total, share * 4);
	t.deepEqual(counts(global), [share * 4, share * 4]);
	t.like(global.steps[1], {interaction_duration: 1, amount: share * 4});
	t.is(
		grouped_by.reduce((sum, group) => sum + group.funnel.total, 0),
		share * 4,
	);
	const whole = await ask(steps, {sample_factor: 1});
	t.false('sampling' in whole);
	t.is(whole.global.total, 2000);
});

test('a merged user point is in a sample or not as the one it counts under', async t => {
	const users = Array.from({length: 20}, (_, index) => 7_000_001 + 2 * index);
	const ask = await world.over(
		users.flatMap(user => [fact('view', {user}), fact('buy', {user: user + 1, after: 1})]),
	);
	const {warehouse} = world.store;
	const merges = users.map(user => `(${user + 1}, ${user}, ${user})`);
	await warehouse.command(`INSERT INTO user_point_merges_v1 VALUES ${merges.join(', ')}`);
	await warehouse.command('SYSTEM RELOAD DICTIONARY user_point_merges');

	const {global, sampling} = await ask(['view', 'buy'], {sample_factor: 0.5});

	const share = users.filter(user => isSampled(user, 0.5)).length;
	t.is(sampling?.user_points, share);
	t.deepEqual(counts(global), [share * 2, share * 2]);
});
