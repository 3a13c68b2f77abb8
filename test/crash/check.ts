import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {type Database, openDatabase} from '../../src/postgres/database.ts';
import {createWarehouse} from '../../src/warehouse/clickhouse.ts';
import {startEmbeddedClickHouse} from '../../src/warehouse/embedded/embedded-clickhouse.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import type {Client} from '../support/service.ts';
import type {Ledger} from './ledger.ts';
import {PERIOD, promised} from './people.ts';
import type {Random} from './random.ts';
import {storedActivities, storedFacts} from './stored.query.ts';
import {judge, type Verdict} from './verdict.ts';

const STEP = {
	name: 'promise',
	filter_clause: {
		operator: 'AND',
		filters: [{dimension_name: 'EVENT_TYPE', operator: 'EXACT', expressions: ['promise']}],
	},
};

/** Resolves once everything accepted before is in the stores; a long backlog takes several askings. */
export async function drainAll(client: Client, datamart: string, patienceMs = 300_000): Promise<void> {
	for (const until = Date.now() + patienceMs; ; ) {
		const {status, body} = await client.post(`${datamart}/user_activities?async=false`, {
			$type: 'SITE_VISIT',
		});
		if (status === 200) return;
		if (body.error_code !== 'not_yet_queryable' || Date.now() > until) {
			throw new Error(`the last activity was answered ${status} ${JSON.stringify(body)}`);
		}
	}
}

/** Resolves once nothing waits for analyzers any more. */
export async function analysedAll(url: string, patienceMs = 300_000): Promise<void> {
	for (const until = Date.now() + patienceMs; ; await delay(50)) {
		const text = await (await fetch(`${url}/metrics`)).text();
		const waiting = Number(/^millrace_chain_waiting_activities (\S+)$/m.exec(text)?.[1]);
		if (waiting === 0) return;
		if (Date.now() > until) throw new Error(`${waiting} activities wait for their analyzers`);
	}
}

/** How many people the funnel counts. */
export async function peopleCounted(client: Client, datamart: string): Promise<number> {
	const {body} = await client.post(`${datamart}/user_analytics_funnel`, {
		for: [STEP],
		in: {type: 'DATES', start_date: PERIOD.start, end_date: PERIOD.end},
	});
	return body.data.global.total;
}

/** Acknowledged activities, picked at random, that their person's timeline does not show exactly once. */
export async function missingFromTimelines(
	client: Client,
	datamart: string,
	{ledger, seed, random, samples}: {ledger: Ledger; seed: number; random: Random; samples: number},
): Promise<number[]> {
	const missing: number[] = [];
	const lanes = [...ledger.acknowledged.values()].filter(seqs => seqs.length > 0);
	for (let sample = 0; sample < samples && lanes.length > 0; sample++) {
		const seq = random.pick(random.pick(lanes));
		const agent = promised(seed, seq).identifiers.find(identifier => identifier.startsWith('vec:'));
		if (!agent) continue;
		const path = `${datamart}/user_timelines/user_agent_id=${agent}/user_activities?max_results=500`;
		const {body} = await client.get(path);
		const shown = body.data?.filter((activity: {harness_seq?: number}) => activity.harness_seq === seq);
		if (shown?.length !== 1) missing.push(seq);
	}
	return missing;
}

/** What the stores say, compared with the ledger, and how many user points there are. */
export async function inspectStores(
	{warehouse, database}: {readonly warehouse: Warehouse; readonly database: Database},
	{datamartId, seed, ledger}: {readonly datamartId: number; readonly seed: number; readonly ledger: Ledger},
): Promise<Verdict & {readonly userPoints: number}> {
	const activities = await warehouse.read(storedActivities, {datamartId});
	const facts = await warehouse.read(storedFacts, {datamartId});
	const [row] = await database.run(sql =>
		sql('user_points').where({datamart_id: datamartId}).whereNull('merged_into').count(),
	);
	return {...judge(seed, ledger, activities.rows, facts.rows), userPoints: Number(row?.count)};
}

/** Opens the embedded stores of a service that has ended and compares them with the ledger. */
export async function inspect(
	dataDir: string,
	what: {readonly datamartId: number; readonly seed: number; readonly ledger: Ledger},
): Promise<Verdict & {readonly userPoints: number}> {
	const engine = await startEmbeddedClickHouse({dataDir: join(dataDir, 'clickhouse')});
	const warehouse = createWarehouse(engine);
	const database = await openDatabase({dataDir});
	try {
		return await inspectStores({warehouse, database}, what);
	} finally {
		await Promise.all([warehouse.close(), database.close()]);
		await engine.close();
	}
}
