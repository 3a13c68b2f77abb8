import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import test from 'ava';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {funnelReport} from '../../src/analytics/funnel/funnel.ts';
import {type FactRow, factsOf} from '../oracle/facts.ts';
import {evaluateFunnel} from '../oracle/funnel.ts';
import type {WireActivity, WireFunnelRequest} from '../oracle/wire.ts';
import {insertFacts} from '../support/facts.ts';
import {userPointId} from '../support/histories.ts';
import {startSharedWarehouse, type TestWarehouse} from '../support/warehouse.ts';

const folder = process.env.DATASETS_DIR;

let store: TestWarehouse | undefined;
test.after.always(async () => store?.stop());

if (folder === undefined) {
	test.skip('real activities through the engine: skipped, DATASETS_DIR is not set', t => t.fail());
} else {
	test.before(async () => {
		store = await startSharedWarehouse();
	});
	for (const [at, set] of ['storefront', 'marketplace'].entries()) checkSet(set, at + 1, join(folder, set));
}

/** The published answers are the reference evaluator's (test/oracle/datasets.test.ts): the engine answers the same. */
function checkSet(set: string, datamartId: number, path: string): void {
	test(`${set}: the engine answers every published question as the reference does`, async t => {
		const {warehouse} = store!;
		const {rows} = factsOf(activitiesOf(path));
		await insertFacts(
			warehouse,
			datamartId,
			// The list is in order of arrival, and so is the default tie.
			rows.map((row: FactRow) => ({
				...row,
				userPoint: row.userPoint === null ? 0 : userPointId(row.userPoint),
			})),
		);
		const questions: {title: string; request: WireFunnelRequest}[] = JSON.parse(
			readFileSync(join(path, 'funnels.json'), 'utf8'),
		);
		t.true(questions.length > 0);
		const context = {datamart: {id: datamartId, timeZone: 'UTC'}, warehouse};
		for (const {title, request} of questions) {
			const {global, grouped_by} = evaluateFunnel({rows, request, timeZone: 'UTC'});
			t.deepEqual(await funnelReport(context, FunnelRequest.parse(request)), {global, grouped_by}, title);
		}
	});
}

function activitiesOf(path: string) {
	const lines = gunzipSync(readFileSync(join(path, 'activities.ndjson.gz')))
		.toString('utf8')
		.split('\n');
	return lines
		.filter(line => line !== '')
		.map(line => ({activity: JSON.parse(line) as WireActivity, receivedMs: 0}));
}
