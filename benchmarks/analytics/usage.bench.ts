import {z} from 'zod';
import {ResourcesUsageRequest} from '../../src/analytics/resource-usage/resource-usage.schema.ts';
import {resourcesUsage} from '../../src/analytics/resource-usage/resource-usage.ts';
import {tenantView} from '../../src/tenants/directory.ts';
import type {Warehouse, WarehouseQuery} from '../../src/warehouse/warehouse.ts';
import {type BenchOptions, type BenchResult, interleaved, median, percentile} from '../support/bench.ts';
import {withEmbeddedWarehouse} from '../support/embedded-warehouse.ts';
import {cpuMsOfAll} from '../support/processes.ts';
import {seedUsage, USAGE} from '../support/resource-usage-facts.ts';

const NO_LIMIT = {deadlineMs: 300_000};
const END_MS = USAGE.fromMs + USAGE.days * 86_400_000;
const METRICS = ['scan_cost', 'read_cost', 'write_cost', 'count'];

const DaySums = z.object({day: z.string(), sums: z.array(z.coerce.bigint())});

/** The same sums over every single fact, without the projection: what the answer has to equal, to the last unit. */
const fromFacts: WarehouseQuery<undefined, z.output<typeof DaySums>> = {
	name: 'bench.usageFromFacts',
	lane: 'heavy',
	row: DaySums,
	build: () => ({
		text: `SELECT toString(toDate(at)) AS day, [sum(scan_cost), sum(read_cost), sum(write_cost), sum(count)] AS sums
			FROM usage_facts_v1 GROUP BY day ORDER BY day LIMIT 1000 SETTINGS optimize_use_projections = 0`,
		params: {},
	}),
};

/** `candidate`: two years by day, as the route asks it (its page holds the first hundred); in blocks, all of them. */
export async function bench({rows = 5_000_000, rounds = 30, say}: BenchOptions): Promise<BenchResult> {
	return withEmbeddedWarehouse(async warehouse => {
		say(`seeding ${rows} facts of usage ...`);
		await seedUsage(warehouse, rows);
		const context = contextOf(warehouse);
		const asked = (dimensions: string[], more: object = {}) => {
			const request = requestOf(dimensions, more);
			return () => resourcesUsage(context, request);
		};
		const source = {dimension_name: 'source', operator: 'EXACT', expressions: ['DASHBOARD']};
		const days = {field_name: 'date_yyyy_mm_dd', sort_order: 'ASCENDING'};
		const times = await interleaved(
			{
				baseline_ms: () => warehouse.read(fromFacts, undefined, NO_LIMIT),
				candidate_ms: asked(['date_yyyy_mm_dd'], {order_by: days}),
				totals_ms: asked([]),
				filtered_ms: asked(['date_yyyy_mm_dd', 'datamart_id'], {
					dimension_filter_clauses: {operator: 'AND', filters: [source]},
				}),
				cut_days_ms: asked(['date_yyyy_mm_dd'], {date_ranges: [range(USAGE.fromMs + 45e5, END_MS - 45e5)]}),
				hours_ms: asked(['date_time']),
			},
			rounds,
		);
		const exact = await sameToTheLastUnit(warehouse);
		say(`sums of ${exact.days} days equal those of the facts: ${exact.equal}`);
		for (const [name, ms] of Object.entries(times)) {
			say(
				`${name.padEnd(13)} p50 ${median(ms).toFixed(1).padStart(7)} ms  p95 ${percentile(ms, 0.95).toFixed(1)} ms`,
			);
		}
		const cpuMs = await cpuOf(asked(['date_yyyy_mm_dd'], {order_by: days}));
		say(`one question of two years by day takes ${cpuMs?.toFixed(1)} ms of CPU, service and engine together`);
		const ratio = Number((median(times.candidate_ms) / median(times.baseline_ms)).toFixed(3));
		return {ratio, exact: exact.equal, facts: rows, candidate_cpu: cpuMs, raw: {floor_ms: [], ...times}};
	});
}

/** What a busy machine does not change, in ms a call. */
async function cpuOf(ask: () => Promise<unknown>): Promise<number | undefined> {
	const before = cpuMsOfAll();
	for (let call = 0; call < 50; call++) await ask();
	const after = cpuMsOfAll();
	return before === undefined || after === undefined ? undefined : (after - before) / 50;
}

/** Every day of the two years, a page of days at a time. */
async function sameToTheLastUnit(warehouse: Warehouse): Promise<{days: number; equal: boolean}> {
	const {rows} = await warehouse.read(fromFacts, undefined, NO_LIMIT);
	const answered: string[] = [];
	for (let from = 0; from < USAGE.days; from += 90) {
		const fromMs = USAGE.fromMs + from * 86_400_000;
		const untilMs = Math.min(fromMs + 90 * 86_400_000, END_MS);
		const request = requestOf(['date_yyyy_mm_dd'], {date_ranges: [range(fromMs, untilMs - 1000)]});
		answered.push(...(await resourcesUsage(contextOf(warehouse), request)).rows.map(row => row.join()));
	}
	const wanted = rows.map(row => [row.day, ...row.sums].join());
	return {days: wanted.length, equal: wanted.join('\n') === answered.join('\n')};
}

function range(fromMs: number, lastMs: number) {
	const text = (ms: number) => new Date(ms).toISOString().slice(0, 19);
	return {start_date: text(fromMs), end_date: text(lastMs)};
}

function requestOf(dimensions: readonly string[], more: object): ResourcesUsageRequest {
	return ResourcesUsageRequest.parse({
		date_ranges: [range(USAGE.fromMs, END_MS - 1000)],
		dimensions: dimensions.map(name => ({name})),
		metrics: METRICS.map(expression => ({expression})),
		...more,
	});
}

function contextOf(warehouse: Warehouse) {
	const organisations = USAGE.organisationIds.map(id => ({
		id,
		communityId: 1,
		administratorId: null,
		marketId: null,
		name: `organisation ${id}`,
		technicalName: null,
		customerType: 'CUSTOMER',
		archived: false,
		createdBy: null,
		createdTs: 0,
		lastModifiedBy: null,
		lastModifiedTs: 0,
	}));
	return {
		warehouse,
		directory: tenantView({organisations, datamarts: [], compartments: [], channels: []}),
		principal: {
			kind: 'user',
			userId: 1,
			credential: 'access_token',
			credentialId: '1',
			communityId: 1,
			roles: [{organisationId: 1, communityId: 1, role: 'COMMUNITY_ADMIN'}],
		} as const,
		read: NO_LIMIT,
	};
}
