import test from 'ava';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {funnelReport, listFunnelChains} from '../../src/analytics/funnel/funnel.ts';
import {evaluateFunnel} from '../oracle/funnel.ts';
import {insertFacts, positionOf} from '../support/facts.ts';
import {crowdsOf, FIRST_SEED, HISTORIES, tieOf, userPointId} from '../support/histories.ts';
import {startSharedWarehouse, type TestWarehouse} from '../support/warehouse.ts';

let store: TestWarehouse;
test.before(async () => {
	store = await startSharedWarehouse();
});
test.after.always(async () => store?.stop());

test(`${HISTORIES} random histories: every number, group and chain is the reference evaluator's`, async t => {
	t.timeout(1_200_000);
	const {warehouse} = store;
	let asked = 0;
	for (const crowd of crowdsOf(HISTORIES, FIRST_SEED, {})) {
		const {datamartId, timeZone, nowMs, rows} = crowd;
		await insertFacts(warehouse, datamartId, crowd.facts);
		const context = {datamart: {id: datamartId, timeZone}, warehouse, now: nowMs, resolveMerges: false};
		for (const wire of crowd.requests) {
			const where = `seeds ${crowd.seeds.join(',')} in ${timeZone}: ${JSON.stringify(wire)}`;
			const expected = evaluateFunnel({rows, request: wire, timeZone, nowMs, idOf: userPointId});
			const request = FunnelRequest.parse(wire);

			const funnel = await funnelReport(context, request);
			t.deepEqual(funnel.global, expected.global, where);
			t.deepEqual(funnel.grouped_by, expected.grouped_by, where);
			t.deepEqual(funnel.sampling, expected.sampling, where);

			const chains = await listFunnelChains(context, request);
			const wanted = [...expected.chains]
				.map(([userPoint, chain]) => ({
					user_point: String(userPointId(userPoint)),
					positions: chain.map(row => positionOf(row.ts, tieOf(row))),
				}))
				.sort((a, b) => Number(a.user_point) - Number(b.user_point));
			t.deepEqual(chains, wanted, where);
			asked += 1;
		}
	}
	t.log(`${asked} funnels over ${HISTORIES} histories`);
});
