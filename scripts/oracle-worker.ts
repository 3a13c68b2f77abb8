// A process of `npm run oracle` with an engine of its own: compares the crowds it is sent, one after the other.
import {compareCrowd} from '../test/support/compare.ts';
import {crowdOf, DRAWN} from '../test/support/histories.ts';
import type {CrowdJob, CrowdResult} from '../test/support/oracle-processes.ts';
import {inPieces} from '../test/support/pieces.ts';
import {smallest} from '../test/support/smallest.ts';
import {startSharedWarehouse} from '../test/support/warehouse.ts';

const TABLES = [
	...['fact_rows_v1', 'dimension_values_v1', 'user_segments_v1'],
	...['user_point_merges_v1', 'user_point_merge_history_v1'],
];
/** Cases are cut down of so many differences a crowd. */
const MOST_CUT = 3;

const store = await startSharedWarehouse();
process.on('message', async (job: CrowdJob) => process.send!(await compared(job)));
process.on('disconnect', async () => {
	await store.stop();
	process.exit();
});
process.send!('ready');

async function compared({nth, seeds, requestSeeds}: CrowdJob): Promise<CrowdResult> {
	const {differences, ...sums} = await ask(nth, seeds, requestSeeds);
	const told = [];
	for (const [place, difference] of differences.entries()) {
		const {requestSeed} = difference;
		const differs = async (some: readonly number[]) =>
			(await ask(nth, some, [requestSeed])).differences.length > 0;
		told.push({...difference, seeds: place < MOST_CUT ? await smallest(seeds, differs) : seeds});
	}
	return {nth, histories: seeds.length, ...sums, differences: told};
}

async function ask(nth: number, seeds: readonly number[], requestSeeds: readonly number[]) {
	for (const table of TABLES) await store.warehouse.command(`TRUNCATE TABLE ${table}`);
	// Every other crowd is answered as if there were much to read.
	const warehouse = nth % 2 === 0 ? store.warehouse : inPieces(store.warehouse);
	return compareCrowd(warehouse, crowdOf(nth + 1, seeds, DRAWN, {requestSeeds}));
}
