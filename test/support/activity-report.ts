import type {TestFn} from 'ava';
import {ActivityReportRequest} from '../../src/analytics/activity-report/activity-report.schema.ts';
import {
	type ActivityReportContext,
	activityReport,
} from '../../src/analytics/activity-report/activity-report.ts';
import type {ReportView} from '../../src/query/report-view.ts';
import {type Fact, insertFacts} from './facts.ts';
import {startSharedWarehouse, type TestWarehouse} from './warehouse.ts';

export const NOON = Date.UTC(2026, 2, 10, 12);

/** `row('$item_view', {user: 1, TYPE: 'SITE_VISIT'})`: an event at noon of 10 March; capitals are dimensions. */
export function row(
	event: string,
	{user = 1, after = 0, ...more}: {user?: number; after?: number} & Record<string, unknown> = {},
): Fact {
	const dimensions: Record<string, string[]> = event ? {EVENT_TYPE: [event]} : {};
	const rest: Record<string, unknown> = {};
	for (const [name, value] of Object.entries({TYPE: 'SITE_VISIT', ...more})) {
		if (name === name.toUpperCase()) dimensions[name] = [value].flat() as string[];
		else rest[name] = value;
	}
	return {userPoint: user, ts: NOON + after, dimensions, ...rest};
}

/** A body as clients send it, over March 2026 unless told otherwise. */
export function reportBody(
	dimensions: readonly string[],
	metrics: readonly string[] = [],
	more: object = {},
): object {
	return {
		date_ranges: [{start_date: '2026-03-01T00:00:00', end_date: '2026-03-31T23:59:59'}],
		dimensions: dimensions.map(name => ({name})),
		metrics: metrics.map(expression => ({expression})),
		...more,
	};
}

export function only(dimension_name: string, operator: string, expressions?: unknown[], more: object = {}) {
	const filter = {dimension_name, operator, ...(expressions && {expressions}), ...more};
	return {dimension_filter_clauses: {operator: 'AND', filters: [filter]}};
}

type Ask = (
	dimensions: readonly string[],
	metrics?: readonly string[],
	more?: object,
) => Promise<ReportView['rows']>;

export interface ReportWorld {
	store: TestWarehouse;
	/** Puts the facts into a datamart of their own; what it returns asks reports of them and answers the rows. */
	over(
		facts: readonly Fact[],
		context?: Partial<ActivityReportContext> & {timeZone?: string},
	): Promise<Ask & {readonly datamartId: number}>;
}

/** One engine for the file's tests, a datamart for each. */
export function reportWorld(test: TestFn): ReportWorld {
	let datamarts = 0;
	const world = {
		async over(facts, {timeZone = 'UTC', ...given} = {}) {
			datamarts += 1;
			const datamartId = datamarts;
			await insertFacts(world.store.warehouse, datamartId, facts);
			const context = {datamart: {id: datamartId, timeZone}, warehouse: world.store.warehouse, ...given};
			const ask: Ask = async (dimensions, metrics, more) =>
				(await activityReport(context, ActivityReportRequest.parse(reportBody(dimensions, metrics, more))))
					.rows;
			return Object.assign(ask, {datamartId});
		},
	} as ReportWorld;
	test.before(async () => {
		world.store = await startSharedWarehouse();
	});
	test.after.always(async () => world.store?.stop());
	return world;
}
