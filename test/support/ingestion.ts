import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ExecutionContext} from 'ava';
import {pino} from 'pino';
import type {Analyzers} from '../../src/ingestion/activity-chain/activity-chain.ts';
import {type Ingestion, startIngestion} from '../../src/ingestion/ingestion.ts';
import type {Incoming} from '../../src/ingestion/user-activities/accept.ts';
import {Secrets} from '../../src/lib/secrets.ts';
import type {Database} from '../../src/postgres/database.ts';
import {type Channel, type Datamart, type TenantView, tenantView} from '../../src/tenants/directory.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';

export const SECRETS = new Secrets('a secret for tests, as long as one has to be');

/** A datamart that stands in no database: ingestion only asks for its numbers. */
export function datamartNumber(id: number, timeZone = 'UTC'): Datamart {
	return {
		id,
		organisationId: 1,
		communityId: 1,
		name: `datamart ${id}`,
		token: `token${id}`,
		creationTs: 0,
		timeZone,
		type: 'DATAMART',
		datafarm: 'local',
		storageModelVersion: 'v201901',
		userPointSystemVersion: 'v201901',
		region: 'local',
		archived: false,
	};
}

/** One organisation, these datamarts, compartments `id * 10` (default) and `id * 10 + 1` in each, and these channels. */
export function directoryOf(datamarts: readonly Datamart[], channels: readonly Channel[] = []): TenantView {
	const compartments = datamarts.flatMap(({id}) =>
		[true, false].map((isDefault, index) => ({
			id: id * 10 + index,
			datamartId: id,
			organisationId: 1,
			name: 'accounts',
			token: `accounts${index}`,
			isDefault,
			archived: false,
		})),
	);
	return tenantView({organisations: [], datamarts, compartments, channels});
}

/** Activities as a door hands them on. */
export function incoming(activities: readonly object[]): Incoming[] {
	return activities.map(value => ({value, bytes: Buffer.from(JSON.stringify(value))}));
}

export interface TestIngestion extends Ingestion {
	readonly journalDirectory: string;
	/** Ends it as a crash would not: waits for what was accepted. */
	stop(): Promise<void>;
}

/** The way of an activity over stores the test has; the journal is gone when the test ends. */
export async function startTestIngestion(
	t: ExecutionContext<unknown>,
	stores: {
		readonly database: Database;
		readonly warehouse: Warehouse;
		readonly journalDirectory?: string;
		readonly shared?: boolean;
		readonly analyzers?: Analyzers;
	},
): Promise<TestIngestion> {
	const journalDirectory = stores.journalDirectory ?? mkdtempSync(join(tmpdir(), 'millrace-journal-'));
	const ingestion = await startIngestion({
		...stores,
		journalDirectory,
		secrets: SECRETS,
		log: pino({level: 'silent'}),
	});
	let stopped: Promise<void> | undefined;
	const stop = () => {
		stopped ??= ingestion.close(10_000);
		return stopped;
	};
	t.teardown(async () => {
		await stop();
		rmSync(journalDirectory, {recursive: true, force: true});
	});
	return {...ingestion, journalDirectory, stop};
}
