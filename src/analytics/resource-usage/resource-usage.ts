import {DomainError} from '../../errors.ts';
import {organisationsFor} from '../../identity/policy.ts';
import type {Principal} from '../../identity/principal.ts';
import type {ReportRequest, ReportRow} from '../../query/report.schema.ts';
import {instantRanges, type ReportView, reportView, toCell} from '../../query/report-view.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {ReadOptions, Warehouse, WarehouseQuery} from '../../warehouse/warehouse.ts';
import {cubeDimension, DAY_MS} from './cubes.ts';
import type {CountKept} from './kept-counts.ts';
import {
	type CubeQuestion,
	collectionRows,
	ingestionRows,
	type StoredQuestion,
	usageRows,
} from './resource-usage.query.ts';

export interface MonitoringContext {
	readonly warehouse: Warehouse;
	readonly directory: TenantView;
	readonly principal: Principal;
	/** User points and identifiers; default none. */
	readonly countPeople?: CountKept;
	/** Dead letters; default none. */
	readonly countLetters?: CountKept;
	/** Epoch ms; default the clock's. */
	readonly now?: number;
	readonly read?: ReadOptions;
}

/** Beyond it the numbers no longer travel beside a statement. */
const MOST_KEPT = 200_000;

/**
 * What queries cost and what was brought, over all organisations the caller may see (semantics.md, Resource usage).
 * Times are UTC, at most 100 rows. Errors: `date_range_inverted`, the warehouse's.
 */
export function resourcesUsage(context: MonitoringContext, request: ReportRequest): Promise<ReportView> {
	const organisations = organisationsFor(context.principal, 'resource_usage:read', context.directory);
	return answer(context, request, async question => {
		const asked = {...question, organisationIds: organisations.map(({id}) => id)};
		return rowsOf(context, usageRows(asked), asked);
	});
}

/** How many elements of each collection there are, by the time they came. Errors: as above, `groups_excessive`. */
export function collectionVolumes(context: MonitoringContext, request: ReportRequest): Promise<ReportView> {
	return answer(context, request, async question =>
		rowsOf(context, collectionRows, await storedQuestion(context, question, context.countPeople)),
	);
}

/** How many events came how far, and what stopped the others. Errors: as above. */
export function dataIngestion(context: MonitoringContext, request: ReportRequest): Promise<ReportView> {
	return answer(context, request, async question =>
		rowsOf(context, ingestionRows, await storedQuestion(context, question, context.countLetters)),
	);
}

async function answer(
	{now}: MonitoringContext,
	request: ReportRequest,
	ask: (question: CubeQuestion) => Promise<readonly ReportRow[]>,
): Promise<ReportView> {
	const headers = [...request.dimensions, ...request.metrics].map(({name}) => name);
	if (headers.length === 0) return reportView([], []);
	const ranges = instantRanges(request.ranges, {nowMs: now ?? Date.now(), timeZone: 'UTC'});
	const dimensions = [...new Set(request.dimensions)];
	const rows = await ask({request, ranges, dimensions});
	return reportView(
		headers,
		rows.map(row => [
			...request.dimensions.map(each => toCell(row.dimensions[dimensions.indexOf(each)] ?? null, each.type)),
			...row.metrics.slice(0, request.metrics.length),
		]),
	);
}

async function rowsOf<Question>(
	{warehouse, read}: MonitoringContext,
	query: WarehouseQuery<Question, ReportRow>,
	question: Question,
): Promise<readonly ReportRow[]> {
	return (await warehouse.read(query, question, read)).rows;
}

async function storedQuestion(
	{principal, directory}: MonitoringContext,
	question: CubeQuestion,
	countKept: CountKept = async () => [],
): Promise<StoredQuestion> {
	const datamarts = organisationsFor(principal, 'resource_usage:read', directory).flatMap(({id}) =>
		directory.datamartsOf(id),
	);
	const datamartIds = datamarts.map(({id}) => id);
	const asked = {datamartIds, ranges: question.ranges, spanMs: spanOf(question), maxCounts: MOST_KEPT + 1};
	const kept = await countKept(asked);
	if (kept.length > MOST_KEPT) {
		const message = 'too many spans of time and datamarts: ask for days, a shorter range or fewer datamarts';
		throw new DomainError('groups_excessive', message);
	}
	return {...question, datamarts, kept};
}

/** The coarsest that still tells all times that are asked for. */
function spanOf({dimensions, request}: CubeQuestion): number {
	const asked = [...dimensions, ...request.clause.filters.map(each => each.dimension)];
	return Math.min(DAY_MS, ...asked.map(each => cubeDimension(each).spanMs ?? DAY_MS));
}
