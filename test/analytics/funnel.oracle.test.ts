import test from 'ava';
import {compareCrowd} from '../support/compare.ts';
import {crowdsOf, DRAWN, FIRST_SEED, HISTORIES} from '../support/histories.ts';
import {startSharedWarehouse, type TestWarehouse} from '../support/warehouse.ts';

let store: TestWarehouse;
test.before(async () => {
	store = await startSharedWarehouse();
});
test.after.always(async () => store?.stop());

test(`${HISTORIES} random histories: every number, group, chain and list is the reference evaluator's`, async t => {
	t.timeout(1_200_000);
	let funnels = 0;
	for (const crowd of crowdsOf(HISTORIES, FIRST_SEED, DRAWN)) {
		const compared = await compareCrowd(store.warehouse, crowd);
		for (const {what, where, answered, expected} of compared.differences) {
			t.deepEqual(answered, expected, `${what}, ${where}`);
		}
		funnels += compared.funnels;
	}
	t.true(funnels > HISTORIES / 100);
	t.log(`${funnels} funnels over ${HISTORIES} histories`);
});
