import type {TestFn} from 'ava';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {type Funnel, type FunnelContext, funnelReport} from '../../src/analytics/funnel/funnel.ts';
import {type Fact, insertFacts} from './facts.ts';
import {startSharedWarehouse, type TestWarehouse} from './warehouse.ts';

export const NOON = Date.UTC(2026, 2, 10, 12);
export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** `fact('view', {user: 1, after: 5 * MINUTE})`: what is not said is absent; `after` counts from noon of 10 March. */
export function fact(
	event: string,
	{user = 1, after = 0, ...more}: {user?: number; after?: number} & Partial<Fact> = {},
): Fact {
	const dimensions = {EVENT_TYPE: [event], ...more.dimensions};
	return {userPoint: user, ts: NOON + after, ...more, dimensions};
}

export function step(event: string, more: object = {}) {
	return {name: event, filter_clause: only('EVENT_TYPE', event), ...more};
}

export function only(dimension: string, ...values: string[]) {
	return {operator: 'AND', filters: [{dimension_name: dimension, operator: 'IN_LIST', expressions: values}]};
}

/** A body as clients send it, over March 2026 unless told otherwise. */
export function body(steps: readonly (string | object)[], more: object = {}) {
	return {
		for: steps.map(each => (typeof each === 'string' ? step(each) : each)),
		in: {type: 'DATES', start_date: '2026-03-01', end_date: '2026-04-01'},
		...more,
	};
}

export interface FunnelWorld {
	store: TestWarehouse;
	/** Puts the facts into a datamart of their own; what it returns asks funnels of them. */
	over(
		facts: readonly Fact[],
		context?: Partial<FunnelContext> & {timeZone?: string},
	): Promise<
		((steps: readonly (string | object)[], more?: object) => Promise<Funnel>) & {context: FunnelContext}
	>;
}

/** One engine for the file's tests, a datamart for each. */
export function funnelWorld(test: TestFn): FunnelWorld {
	let datamarts = 0;
	const world = {
		async over(facts, {timeZone = 'UTC', ...given} = {}) {
			datamarts += 1;
			const id = datamarts;
			await insertFacts(world.store.warehouse, id, facts);
			const context = {datamart: {id, timeZone}, warehouse: world.store.warehouse, ...given};
			const ask = async (steps: readonly (string | object)[], more: object = {}) =>
				funnelReport(context, FunnelRequest.parse(body(steps, more)));
			return Object.assign(ask, {context});
		},
	} as FunnelWorld;
	test.before(async () => {
		world.store = await startSharedWarehouse();
	});
	test.after.always(async () => world.store?.stop());
	return world;
}

export function counts(numbers: {steps: readonly {count: number}[]}): number[] {
	return numbers.steps.map(each => each.count);
}
