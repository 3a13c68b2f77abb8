import test from 'ava';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {funnelReport} from '../../src/analytics/funnel/funnel.ts';
import type {Stored} from '../../src/analytics/funnel/moment.ts';
import {pagingOf, UserPointsRequest} from '../../src/analytics/funnel/user-points.schema.ts';
import {funnelUserPointsPage} from '../../src/analytics/funnel/user-points.ts';
import {DomainError} from '../../src/errors.ts';
import {parseWith} from '../../src/validation.ts';
import {type Fact, insertFacts} from '../support/facts.ts';
import {body, counts, fact, funnelWorld, MINUTE, NOON, only, step} from '../support/funnel.ts';

const world = funnelWorld(test);

/** A drain that has confirmed all batches below 100. */
const UP_TO_DATE: Stored = {instance: 1, storedBefore: 100, whenQueryable: async () => {}};

async function listOver(facts: readonly Fact[], stored: Stored = UP_TO_DATE) {
	const ask = await world.over(facts);
	const context = {...ask.context, stored};
	const page = (steps: readonly (string | object)[], more: object) => {
		const request = parseWith(UserPointsRequest, body(steps, more));
		return funnelUserPointsPage(context, request, pagingOf(request, {}));
	};
	const ids = async (steps: readonly (string | object)[], more: object) =>
		(await page(steps, more)).items.map(item => item.user_point_id);
	return {ask, page, ids, context};
}

test('who reached a step, who was lost at it, and who never entered', async t => {
	const {ids, page} = await listOver([
		fact('view', {user: 1}),
		fact('buy', {user: 1, after: MINUTE}),
		fact('again', {user: 1, after: 2 * MINUTE}),
		fact('view', {user: 2}),
		fact('buy', {user: 2, after: MINUTE}),
		fact('view', {user: 3}),
		fact('leave', {user: 4}),
		fact('view', {user: 0}),
	]);
	const steps = ['view', 'buy', 'again'];

	t.deepEqual(await ids(steps, {step: 1}), ['1', '2', '3']);
	t.deepEqual(await ids(steps, {step: 2, lost: false}), ['1', '2']);
	t.deepEqual(await ids(steps, {step: '3'}), ['1']);
	t.deepEqual(await ids(steps, {step: 1, lost: true}), ['4']);
	t.deepEqual(await ids(steps, {step: 'buy', lost: true}), ['3']);
	t.deepEqual((await page(steps, {step: 2})).items, [
		{user_point_id: '1', reached_step: 3, ts: NOON + MINUTE},
		{user_point_id: '2', reached_step: 2, ts: NOON + MINUTE},
	]);
	t.deepEqual((await page(steps, {step: 'again', lost: true})).items, [
		{user_point_id: '2', reached_step: 2, ts: NOON + MINUTE},
	]);
	t.deepEqual((await page(steps, {step: 1, lost: true})).items, [
		{user_point_id: '4', reached_step: 0, ts: null},
	]);
});

test('windows, exclusions and a held dimension bind the list as they bind the count', async t => {
	const product = (id: string) => ({PRODUCT_ID: [id]});
	const {ids} = await listOver([
		fact('view', {user: 1, dimensions: product('a')}),
		fact('buy', {user: 1, after: MINUTE, dimensions: product('a')}),
		fact('view', {user: 2, dimensions: product('a')}),
		fact('buy', {user: 2, after: MINUTE, dimensions: product('b')}),
		fact('view', {user: 3, dimensions: product('a')}),
		fact('leave', {user: 3, after: 1}),
		fact('buy', {user: 3, after: 10 * MINUTE, dimensions: product('a')}),
	]);

	t.deepEqual(await ids(['view', 'buy'], {step: 2, holding_dimension: 'product_id'}), ['1', '3']);
	const exclusions = [{after_step: 1, filter_clause: only('EVENT_TYPE', 'leave')}];
	t.deepEqual(await ids(['view', 'buy'], {step: 2, exclusions, holding_dimension: 'product_id'}), ['1']);
	t.deepEqual(
		await ids(['view', 'buy'], {step: 2, lost: true, exclusions, holding_dimension: 'product_id'}),
		['2', '3'],
	);
	const within = step('buy', {max_days_after_previous_step: (5 * MINUTE) / 86_400_000});
	t.deepEqual(await ids(['view', within], {step: 2}), ['1', '2']);
});

test('page after page gives every user point once, by cursor or by place', async t => {
	const users = Array.from({length: 23}, (_, index) => 10_000_000_000_000 + index * 7);
	const {page} = await listOver(users.map(user => fact('view', {user})));

	const listed: string[] = [];
	let cursor: string | null = null;
	do {
		const next = await page(['view'], {step: 1, max_results: 5, ...(cursor && {cursor})});
		t.is(next.total, 23);
		listed.push(...next.items.map(item => item.user_point_id));
		cursor = next.cursor;
	} while (cursor !== null);
	t.deepEqual(listed, users.map(String));

	const {items, total} = await page(['view'], {step: 1, first_result: 20, max_results: 5});
	t.deepEqual([items.map(item => item.user_point_id), total], [users.slice(20).map(String), 23]);
	t.deepEqual(await page(['view'], {step: 1, first_result: 23}).then(({items, total}) => [items, total]), [
		[],
		23,
	]);
	const exact = await page(['view'], {step: 1, max_results: 23});
	t.deepEqual([exact.items.length, exact.cursor], [23, null]);
});

test('what arrives or is merged between two pages changes neither the list nor its length', async t => {
	const users = [811, 812, 813, 814, 815, 816];
	const {page, ask, context} = await listOver(users.map(user => fact('view', {user, batch: 5})));
	const {warehouse} = world.store;
	await merge([[812, 811, 1]]);
	const steps = ['view', 'buy'];

	const first = await page(steps, {step: 1, max_results: 2});
	t.deepEqual([first.total, first.items.map(item => item.user_point_id)], [5, ['811', '813']]);

	// Somebody new, somebody who buys, an old activity that comes late, and merges, one of a survivor.
	await insertFacts(warehouse, ask.context.datamart.id, [
		fact('view', {user: 817, batch: 100}),
		fact('buy', {user: 814, after: 1, batch: 100}),
		fact('view', {user: 800, after: -MINUTE, batch: 100}),
	]);
	await merge([
		[816, 815, 2],
		[811, 800, 3],
		[812, 800, 4],
	]);
	await warehouse.command('OPTIMIZE TABLE user_point_merges_v1 FINAL');

	const second = await page(steps, {step: 1, max_results: 10, cursor: first.cursor});
	t.deepEqual([second.total, second.items.map(item => item.user_point_id)], [5, ['814', '815', '816']]);
	t.is(second.asOf, first.asOf);
	const then = await funnelReport(context, FunnelRequest.parse(body(steps, {as_of: first.asOf})));
	t.deepEqual(counts(then.global), [5, 0]);
	const now = await funnelReport(context, FunnelRequest.parse(body(steps)));
	t.deepEqual(counts(now.global), [5, 1]);
	const fresh = await page(steps, {step: 2, lost: true});
	t.is(fresh.total, 4, 'batch 100 is not confirmed: it joins no list that could lose half of it');
	t.deepEqual((await page(steps, {step: 1, as_of: first.asOf})).total, 5);

	async function merge(rows: readonly (readonly [number, number, number])[]) {
		await warehouse.command(
			`INSERT INTO user_point_merges_v1 VALUES ${rows.map(row => `(${row.join(', ')})`).join(', ')}`,
		);
		await warehouse.command('SYSTEM RELOAD DICTIONARY user_point_merges');
	}
});

test('a batch of ours that is being written is waited for; another instance’s counts as it is seen', async t => {
	const {ask} = await listOver([fact('view', {user: 1, batch: 120})]);
	let storedBefore = 100;
	const stored: Stored = {
		instance: 1,
		get storedBefore() {
			return storedBefore;
		},
		async whenQueryable(arrival) {
			t.is(arrival, 120);
			storedBefore = 130;
		},
	};
	const request = parseWith(UserPointsRequest, body(['view'], {step: 1}));
	const ask2 = (stored: Stored) =>
		funnelUserPointsPage({...ask.context, stored}, request, {firstResult: 0, maxResults: 10});

	t.is((await ask2(stored)).total, 1);
	t.is((await ask2({...UP_TO_DATE, whenQueryable: () => Promise.reject(new Error('down'))})).total, 0);
	t.is((await ask2({...UP_TO_DATE, instance: 2})).total, 1);
});

test('members of a segment are told as of the list, the merged included', async t => {
	const {ids, ask} = await listOver([fact('view', {user: 821}), fact('view', {user: 822})]);
	const {warehouse} = world.store;
	await warehouse.command('INSERT INTO user_point_merges_v1 VALUES (823, 822, 6)');
	const {id} = ask.context.datamart;
	await warehouse.command(`INSERT INTO user_segments_v1 VALUES (${id}, 'vip', 823, 18446744073709551615)`);
	const member = {name: 'member', filter_clause: only('SEGMENT_ID', 'vip')};

	t.deepEqual(await ids([member], {step: 1}), ['822']);
	t.deepEqual(await ids([member], {step: 1, lost: true}), ['821']);
});

test('an empty period is an empty list', async t => {
	const {page} = await listOver([fact('view')]);
	const nothing = {step: 1, in: {type: 'DATES', start_date: '2026-03-01', end_date: '2026-03-01'}};

	t.like(await page(['view'], nothing), {items: [], total: 0, cursor: null});
});

test('a step, a place and a cursor that mean nothing are refused by name', async t => {
	const {page} = await listOver([1, 2, 3].map(user => fact('view', {user})));
	const refused = async (more: object, pointer: string, steps: readonly string[] = ['view', 'buy']) => {
		const error = await t.throwsAsync(async () => page(steps, more), {instanceOf: DomainError});
		t.deepEqual([error?.code, error?.faults[0]?.pointer], ['field_invalid', pointer]);
	};

	await refused({}, '/step');
	for (const step of [0, 3, 1.5, -1, 'nobody', '3', null]) await refused({step}, '/step');
	await refused({step: 'view'}, '/step', ['view', 'view']);
	await refused({step: 1, lost: 'yes'}, '/lost');
	await refused({step: 1, max_results: 501}, '/max_results');
	await refused({step: 1, max_results: 0}, '/max_results');
	await refused({step: 1, first_result: -1}, '/first_result');
	await refused({step: 1, sample_factor: 0.5}, '/sample_factor');
	await refused({step: 1, as_of: 'e30'}, '/as_of');
	await refused({step: 1, cursor: 'bm90aGluZw'}, '/cursor');
	const {cursor} = await page(['view', 'buy'], {step: 1, max_results: 1});
	await refused({step: 2, cursor}, '/cursor');
	await refused({step: 1, lost: true, cursor}, '/cursor');
	await refused({step: 1, cursor}, '/cursor', ['view', 'leave']);
	await refused({step: 1, cursor, first_result: 1}, '/first_result');
	t.is((await page(['view', 'buy'], {step: 'view', cursor})).items.length, 2, 'the same step by its name');
});
