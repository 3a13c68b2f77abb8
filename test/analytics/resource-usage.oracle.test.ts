import test from 'ava';
import {ResourcesUsageRequest} from '../../src/analytics/resource-usage/resource-usage.schema.ts';
import {resourcesUsage} from '../../src/analytics/resource-usage/resource-usage.ts';
import {chance} from '../oracle/random.ts';
import {evaluateUsage, randomUsage, randomUsageRequest, type UsageStory} from '../oracle/usage.ts';
import {insertUsage, organisationsOf, userWith} from '../support/usage.ts';
import {startSharedWarehouse, type TestWarehouse} from '../support/warehouse.ts';

const REPORTS = Number(process.env.ORACLE_USAGE_REPORTS ?? 400);
const SEED = Number(process.env.ORACLE_SEED ?? 1);
const DAY_MS = 86_400_000;

let store: TestWarehouse;
test.before(async () => {
	store = await startSharedWarehouse();
});
test.after.always(async () => store?.stop());

function asFact(story: UsageStory) {
	return {
		atMs: story.at,
		communityId: story.community_id,
		organisationId: story.organisation_id,
		datamartId: story.datamart_id ?? 0,
		userId: story.user_id ?? 0,
		source: story.source,
		subSource: story.sub_source ?? '',
		collection: story.collection ?? '',
		resourceId: story.resource_id ?? '',
		executionId: story.execution_id,
		scanCost: story.scan_cost,
		readCost: story.read_cost,
		writeCost: story.write_cost,
		count: story.count,
	};
}

test('random reports of usage: every row is the independent evaluator’s, to the last unit', async t => {
	t.timeout(300_000);
	const dice = chance(SEED);
	// Facts older than two years go, so they are told of the days before this one.
	const firstMs = (Math.floor(Date.now() / DAY_MS) - 5) * DAY_MS;
	const facts = randomUsage(dice, firstMs, 1500);
	for (let batch = 0; batch < 15; batch++) {
		await insertUsage(store.warehouse, batch + 1, facts.slice(batch * 100, batch * 100 + 100).map(asFact));
	}
	const directory = organisationsOf([1, 1], [2, 1, 1], [3, 1], [4, 2]);
	const callers = [
		{principal: userWith('COMMUNITY_ADMIN', 3, 1), sees: [1, 2, 3]},
		{principal: userWith('READER', 1, 1), sees: [1, 2]},
		{principal: userWith('ORGANISATION_ADMIN', 4, 2), sees: [4]},
	];
	let empty = 0;
	for (let report = 0; report < REPORTS; report++) {
		const request = randomUsageRequest(dice, firstMs, facts);
		const {principal, sees} = dice.pick(callers);
		const context = {warehouse: store.warehouse, directory, principal};
		const answered = await resourcesUsage(context, ResourcesUsageRequest.parse(request));
		const expected = evaluateUsage(facts, sees, request);
		if (expected.length === 0) empty++;
		t.deepEqual(answered.rows, expected, `report ${report}, seed ${SEED}: ${JSON.stringify(request)}`);
	}
	t.true(empty < REPORTS / 2, `${empty} of ${REPORTS} reports had nothing to tell`);
});
