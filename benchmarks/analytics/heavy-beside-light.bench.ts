import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {funnelReport} from '../../src/analytics/funnel/funnel.ts';
import {membershipRows} from '../../src/audience/user-segments/user-segments.query.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import {type BenchOptions, type BenchResult, percentile} from '../support/bench.ts';
import {withEmbeddedWarehouse} from '../support/embedded-warehouse.ts';
import {SEEDED, seedFacts} from '../support/seed-facts.ts';

const NO_LIMIT = {deadlineMs: 300_000, maxMemoryBytes: 16 * 1024 ** 3};
const STEPS = 24;
const PAUSE_MS = 10;

/**
 * A question of one row (`candidate`: while funnels of some seconds run one after the other; `baseline`: alone), and rows
 * written in between as the drain writes them. `rounds`: how often each is asked.
 */
export async function bench({rows = 1_000_000, rounds = 300, say}: BenchOptions): Promise<BenchResult> {
	return withEmbeddedWarehouse(async warehouse => {
		say(`seeding ${rows} activities ...`);
		await seedFacts(warehouse, rows);
		await writeMember(warehouse, 1);
		await measured(rounds / 4, () => light(warehouse));
		const alone = await measured(rounds, () => light(warehouse));
		const writesAlone = await measured(rounds / 4, () => writeMember(warehouse, 2));
		const heavy = heavyOneByOne(warehouse);
		const beside = await measured(rounds, () => light(warehouse));
		const writesBeside = await measured(rounds / 4, () => writeMember(warehouse, 3));
		const heavyMs = await heavy.stop();
		const told = {
			light_alone: alone,
			light_beside: beside,
			write_alone: writesAlone,
			write_beside: writesBeside,
		};
		for (const [name, ms] of Object.entries({...told, heavy: heavyMs}))
			say(`${name.padEnd(13)} ${figures(ms)}`);
		return {
			ratio: Math.round((percentile(beside, 0.95) / percentile(alone, 0.95)) * 100) / 100,
			p95: {alone: percentile(alone, 0.95), beside: percentile(beside, 0.95)},
			raw: {
				baseline_ms: alone,
				candidate_ms: beside,
				floor_ms: [],
				write_alone_ms: writesAlone,
				write_beside_ms: writesBeside,
				heavy_ms: heavyMs,
			},
		};
	});
}

function figures(ms: readonly number[]): string {
	const [p50, p95] = [percentile(ms, 0.5), percentile(ms, 0.95)];
	return `p50 ${p50.toFixed(1).padStart(7)} ms  p95 ${p95.toFixed(1).padStart(7)} ms  of ${ms.length}`;
}

async function measured(times: number, ask: () => Promise<unknown>): Promise<number[]> {
	const all: number[] = [];
	for (let i = 0; i < times; i++) {
		const start = performance.now();
		await ask();
		all.push(Math.round((performance.now() - start) * 10) / 10);
		await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
	}
	return all;
}

function light(warehouse: Warehouse) {
	return warehouse.read(membershipRows, {datamartId: SEEDED.datamartId, userPointIds: [1]}, NO_LIMIT);
}

function writeMember(warehouse: Warehouse, id: number): Promise<void> {
	const row = [SEEDED.datamartId, id, 'vip', 1, 1, '18446744073709551615', ''];
	return warehouse.write({
		table: 'segment_memberships_v1',
		columns: [
			...['datamart_id', 'user_point_id', 'segment_id'],
			...['created_ms', 'modified_ms', 'expires_ms', 'data_bag'],
		],
		rows: 1,
		payload: Buffer.from(`${row.join('\t')}\n`),
	});
}

/** Each another funnel, with windows everywhere. */
function heavyOneByOne(warehouse: Warehouse): {stop(): Promise<number[]>} {
	const context = {datamart: {id: SEEDED.datamartId, timeZone: 'UTC'}, warehouse};
	const step = (index: number) => ({
		name: `step ${index}`,
		filter_clause: {
			operator: 'OR',
			filters: [
				{dimension_name: 'CHANNEL_ID', operator: 'EXACT', expressions: [String(index % 5)]},
				{dimension_name: 'PRODUCT_ID', operator: 'LIKE', expressions: [String(index)]},
			],
		},
		...(index > 0 && {max_days_after_previous_step: 2}),
	});
	const request = FunnelRequest.parse({
		for: Array.from({length: STEPS}, (_, index) => step(index)),
		in: {type: 'DATES', start_date: SEEDED.firstDay, end_date: SEEDED.endDay},
	});
	const times: number[] = [];
	let stopped = false;
	const running = (async () => {
		while (!stopped) {
			const start = performance.now();
			await funnelReport({...context, read: NO_LIMIT}, request);
			times.push(Math.round(performance.now() - start));
		}
	})();
	return {
		async stop() {
			stopped = true;
			await running;
			return times;
		},
	};
}
