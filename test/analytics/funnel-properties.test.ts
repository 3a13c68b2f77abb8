import test from 'ava';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {type FunnelContext, funnelReport} from '../../src/analytics/funnel/funnel.ts';
import {UserPointsRequest} from '../../src/analytics/funnel/user-points.schema.ts';
import {funnelUserPointsPage} from '../../src/analytics/funnel/user-points.ts';
import type {WireFunnelRequest} from '../oracle/wire.ts';
import {insertFacts} from '../support/facts.ts';
import {counts} from '../support/funnel.ts';
import {asFact, crowdsOf, FIRST_SEED} from '../support/histories.ts';
import {startSharedWarehouse, type TestWarehouse} from '../support/warehouse.ts';

const STORED = {instance: 1, storedBefore: 1, whenQueryable: async () => {}};
const HISTORIES = 66;

let store: TestWarehouse;
let crowds: {readonly context: FunnelContext; readonly requests: readonly WireFunnelRequest[]}[];

test.before(async () => {
	store = await startSharedWarehouse();
	crowds = [];
	for (const crowd of crowdsOf(HISTORIES, FIRST_SEED + 500_000, {mostSteps: 6, samples: false})) {
		const {datamartId, timeZone, nowMs, rows, requests} = crowd;
		await insertFacts(
			store.warehouse,
			datamartId,
			rows.map(row => asFact(row)),
		);
		const context = {datamart: {id: datamartId, timeZone}, warehouse: store.warehouse, now: nowMs};
		crowds.push({context, requests});
	}
});
test.after.always(async () => store?.stop());

/** The requests of every crowd, as `change` would have them asked; those it has nothing to say of are left out. */
function* asked(change: (request: WireFunnelRequest) => WireFunnelRequest | undefined) {
	for (const {context, requests} of crowds) {
		for (const wire of requests) {
			const request = change(wire);
			if (request) yield {context, request};
		}
	}
}

const ask = (context: FunnelContext, request: WireFunnelRequest) =>
	funnelReport(context, FunnelRequest.parse(request));

test('the list of every step is as long as its count, and those lost are those who did not come on', async t => {
	let lists = 0;
	for (const {context, request} of asked(request => request)) {
		const {global} = await ask(context, request);
		const reached = [global.total, ...counts(global)];
		for (const [at] of request.for.entries()) {
			const step = at + 1;
			const length = async (lost: boolean) => {
				const body = UserPointsRequest.parse({...request, step, lost});
				const paging = {firstResult: 0, maxResults: 500};
				const {total, items} = await funnelUserPointsPage({...context, stored: STORED}, body, paging);
				t.is(items.length, Math.min(total, 500));
				return total;
			};
			if (step > 3 && step < request.for.length) continue;
			t.is(await length(false), reached[step]!, JSON.stringify(request));
			t.is(await length(true), reached[step - 1]! - reached[step]!, JSON.stringify(request));
			lists += 2;
		}
	}
	t.true(lists > 100);
});

test('the groups of a split sum to the whole at its last step, in counts, units and money', async t => {
	let splits = 0;
	for (const {context, request} of asked(({limit: _, ...request}) =>
		request.for.some(step => step.group_by_dimensions) ? request : undefined,
	)) {
		const {global, grouped_by} = await ask(context, request);
		const last = request.for.findLastIndex(step => step.group_by_dimensions);
		for (const field of ['count', 'conversion', 'amount'] as const) {
			const inUnits = (of: number | undefined) => Math.round((of ?? 0) * 10_000);
			t.is(
				grouped_by.reduce((sum, group) => sum + inUnits(group.funnel.steps[last]?.[field]), 0),
				inUnits(global.steps[last]?.[field]),
				`${field} of ${JSON.stringify(request)}`,
			);
		}
		splits += 1;
	}
	t.true(splits > 20);
});

test('with a step left out, a funnel of mere order counts at least as many at every later step', async t => {
	let pairs = 0;
	const plain = ({for: steps, in: period}: WireFunnelRequest): WireFunnelRequest => ({
		for: steps.map(({max_days_after_previous_step: _, group_by_dimensions: __, ...step}) => step),
		in: period,
	});
	for (const {context, request} of asked(request => (request.for.length > 1 ? plain(request) : undefined))) {
		const whole = counts((await ask(context, request)).global);
		for (const [out] of request.for.entries()) {
			const shorter = {...request, for: request.for.filter((_, at) => at !== out)};
			const without = counts((await ask(context, shorter)).global);
			const expected = whole.filter((_, at) => at !== out);
			t.true(
				without.every((count, at) => count >= expected[at]!),
				`${whole} against ${without} without step ${out + 1} of ${JSON.stringify(request)}`,
			);
			pairs += 1;
		}
	}
	t.true(pairs > 100);
});
