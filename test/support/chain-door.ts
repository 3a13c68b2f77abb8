import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ExecutionContext} from 'ava';
import type {Analyzers} from '../../src/ingestion/activity-chain/activity-chain.ts';
import {acceptMany, type Door} from '../../src/ingestion/user-activities/accept.ts';
import type {AnalyzerLink} from '../../src/plugins/channel-links/analyzer-links.ts';
import {createWorkerClient} from '../../src/plugins/worker-client/worker-client.ts';
import {type Answering, startAnalyzerWorker} from './analyzer-worker.ts';
import {analyzersOf, channelNumber} from './analyzers.ts';
import {allFacts, keptActivities} from './facts.query.ts';
import {datamartNumber, directoryOf, incoming, startTestIngestion} from './ingestion.ts';
import type {TestPostgres} from './postgres.ts';
import type {TestWarehouse} from './warehouse.ts';

export interface ChainContext {
	readonly postgres: TestPostgres;
	readonly store: TestWarehouse;
}

let lastDatamart = 0;
/** For a call with all its tries. */
export const DEADLINE_MS = 1_000;

/** A datamart of its own with channels 1 to 4 of it, and a plugin worker. */
export async function newDoor(
	t: ExecutionContext<ChainContext>,
	answering?: Answering,
	deadlineMs = DEADLINE_MS,
) {
	const datamart = datamartNumber(++lastDatamart);
	const channelId = (number: number) => datamart.id * 100 + number;
	const channels = [1, 2, 3, 4].map(number => channelNumber(channelId(number), datamart.id));
	const directory = directoryOf([datamart], channels);
	const worker = await startAnalyzerWorker(answering);
	const chains = new Map<number, readonly AnalyzerLink[]>();
	const client = createWorkerClient({allowedNetworks: ['127.0.0.1']});
	const analyzers = analyzersOf(chains, directory, call => client.callWorker({...call, deadlineMs}));
	t.teardown(() => Promise.all([worker.close(), client.close()]));
	const {warehouse} = t.context.store;
	const journalDirectory = mkdtempSync(join(tmpdir(), 'millrace-chain-'));
	const start = (changed: Partial<Analyzers> = {}) =>
		startTestIngestion(t, {
			database: t.context.postgres.database,
			warehouse,
			journalDirectory,
			analyzers: {...analyzers, ...changed},
		});
	const ingestion = await start();
	const context = {...ingestion, directory};
	const door: Door = {datamart, userAgent: ''};
	return {
		datamart,
		channelId,
		directory,
		chains,
		worker,
		ingestion,
		context,
		door,
		start,
		journalDirectory,
		/** Resolves once all of them are queryable. */
		async post(...activities: object[]) {
			const noted = {arrivals: [], found: []};
			const {lastArrival} = await acceptMany(context, {...door, noted}, incoming(activities));
			await ingestion.whenQueryable(lastArrival, noted);
		},
		facts: async () => (await warehouse.read(allFacts, datamart.id)).rows,
		kept: async () =>
			(await warehouse.read(keptActivities, datamart.id)).rows.map(row => JSON.parse(row.activity)),
		keptText: async () =>
			(await warehouse.read(keptActivities, datamart.id)).rows.map(row => row.activity).join('\n'),
	};
}

export const visit = (channelId: number, more: object = {}) => ({
	$type: 'SITE_VISIT',
	$ts: 1_700_000_000_000,
	$site_id: String(channelId),
	$user_agent_id: `vec:${channelId}-${Math.random().toString(36).slice(2)}a`,
	$events: [{$event_name: '$page_view'}],
	...more,
});
