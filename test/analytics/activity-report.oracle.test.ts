import test from 'ava';
import {ActivityReportRequest} from '../../src/analytics/activity-report/activity-report.schema.ts';
import {activityReport} from '../../src/analytics/activity-report/activity-report.ts';
import {evaluateReport, type WireReportRequest} from '../oracle/activity-report.ts';
import {localDay} from '../oracle/local-time.ts';
import {chance} from '../oracle/random.ts';
import {randomReport} from '../oracle/report-requests.ts';
import {insertFacts} from '../support/facts.ts';
import {asFact, type Crowd, crowdsOf, FIRST_SEED, userPointId} from '../support/histories.ts';
import {startSharedWarehouse, type TestWarehouse} from '../support/warehouse.ts';

const HISTORIES = Number(process.env.ORACLE_REPORT_HISTORIES ?? 300);
const REPORTS_PER_CROWD = Number(process.env.ORACLE_REPORTS_PER_CROWD ?? 30);
const FOREVER = '18446744073709551615';

let store: TestWarehouse;
test.before(async () => {
	store = await startSharedWarehouse();
});
test.after.always(async () => store?.stop());

/** The crowd's facts with what funnels know nothing of: durations, origins, segments, names of channels. */
function worldOf({datamartId, timeZone, nowMs, rows}: Crowd) {
	const drawn = <T>(from: readonly T[], ...seeds: number[]) =>
		chance(seeds.reduce((mixed, each) => mixed * 31 + each, datamartId)).pick(from);
	const durationOf = (arrival: number) => drawn([undefined, 0, 30, 61, 3600], arrival, 1);
	return {
		timeZone,
		nowMs,
		durationOf,
		segmentsOf: (userPoint: number) => drawn([[], ['1'], ['12', 'vip'], ['vip']], userPoint, 2),
		channelNames: new Map([
			['1', 'Shop'],
			['2', 'shop two'],
		]),
		rows: rows.map(row => ({
			...row,
			dimensions: {
				...row.dimensions,
				ORIGIN_SOURCE: drawn([[], ['search'], ['Search'], ['news']], row.arrival, 3),
				ORIGIN_CHANNEL: drawn([[], ['cpc'], ['email']], row.arrival, 4),
			},
		})),
	};
}

async function fill(crowd: Crowd, world: ReturnType<typeof worldOf>): Promise<void> {
	const facts = world.rows.map(row => {
		const sessionDuration = world.durationOf(row.arrival);
		return {...asFact(row), ...(sessionDuration !== undefined && {sessionDuration})};
	});
	await insertFacts(store.warehouse, crowd.datamartId, facts);
	const members = [...new Set(world.rows.flatMap(row => row.userPoint ?? []))].flatMap(userPoint => [
		`${crowd.datamartId}\tgone\t${userPointId(userPoint)}\t1\n`,
		...world
			.segmentsOf(userPoint)
			.map(segment => `${crowd.datamartId}\t${segment}\t${userPointId(userPoint)}\t${FOREVER}\n`),
	]);
	await store.warehouse.write({
		table: 'user_segments_v1',
		columns: ['datamart_id', 'segment_id', 'user_point_id', 'expires_ms'],
		rows: members.length,
		payload: Buffer.from(members.join('')),
	});
}

test('random reports over random histories: every row is the independent evaluator’s', async t => {
	t.timeout(600_000);
	let asked = 0;
	let empty = 0;
	for (const crowd of crowdsOf(HISTORIES, FIRST_SEED, {holding: false})) {
		const world = worldOf(crowd);
		await fill(crowd, world);
		const {datamartId, timeZone, nowMs} = crowd;
		const context = {
			datamart: {id: datamartId, timeZone},
			warehouse: store.warehouse,
			now: nowMs,
			resolveMerges: false,
			channels: [...world.channelNames].map(([id, name]) => ({id: Number(id), name})),
		};
		const dice = chance(FIRST_SEED * 1000 + datamartId);
		for (let report = 0; report < REPORTS_PER_CROWD; report++) {
			const wire: WireReportRequest = randomReport(dice, localDay(dice.pick(world.rows).ts, timeZone));
			const where = `seed ${FIRST_SEED}, crowd ${datamartId} in ${timeZone}: ${JSON.stringify(wire)}`;
			const expected = evaluateReport({...world, request: wire});

			const view = await activityReport(context, ActivityReportRequest.parse(wire));

			t.deepEqual(view.rows, expected, where);
			t.is(view.total_items, expected.length, where);
			asked += 1;
			if (expected.length === 0) empty += 1;
		}
	}
	t.log(`${asked} reports, ${empty} of them empty`);
	t.true(empty < asked / 2, 'most questions meet something');
});
