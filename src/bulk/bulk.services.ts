import type {Logger} from 'pino';
import type {DataFiles} from '../files/data-files/data-files.ts';
import type {Route} from '../http/route.ts';
import type {Ingestion} from '../ingestion/ingestion.ts';
import {JobPool} from '../jobs/pool.ts';
import type {Secrets} from '../lib/secrets.ts';
import type {Database} from '../postgres/database.ts';
import type {TenantView} from '../tenants/directory.ts';
import type {Warehouse} from '../warehouse/warehouse.ts';
import {deletionReceiptRoutes} from './deletion-receipts/deletion-receipts.route.ts';
import {deletionImport} from './document-imports/deletion-import.ts';
import {documentImportRoutes} from './document-imports/document-imports.route.ts';
import {documentImportStore} from './document-imports/document-imports.store.ts';
import type {SearchedPortion, SearchTask} from './document-imports/identifiers-in-file.ts';
import {ImportJob} from './document-imports/import-job.ts';
import type {ImportTask, ReadPortion} from './document-imports/import-lines.ts';
import {journalImport} from './document-imports/journal-imports.ts';
import {KeptInputs} from './document-imports/kept-inputs.ts';
import {segmentImport} from './document-imports/segment-import.ts';
import {InputFiles} from './job-executions/input-files.ts';
import {type JobExecutionStore, jobExecutionStore} from './job-executions/job-executions.store.ts';
import type {JobType} from './job-executions/job-executions.ts';
import {type JobKind, JobRunner, type JobRunnerOptions} from './job-executions/job-runner.ts';

export interface Bulk {
	readonly routes: readonly Route[];
	/** For areas with jobs of their own. */
	readonly jobs: JobExecutionStore;
	readonly files: InputFiles;
	/** There is something to do. */
	wake(): void;
	/** Begins to work, with the jobs of other areas beside its own. */
	start(others: Readonly<Record<Exclude<JobType, 'DOCUMENT_IMPORT'>, JobKind>>): Promise<void>;
	/** Leaves what runs at its next step; the next start goes on from there. */
	close(): Promise<void>;
}

/** A portion is read within a few: a thread that may have more takes it, and keeps it. */
const YOUNG_MB = 24;

/** Bulk work, built: jobs that are told of as they go, and what they work on. */
export async function bulkServices(services: {
	readonly database: Database;
	readonly warehouse: Warehouse;
	readonly dataFiles: DataFiles;
	readonly ingestion: Ingestion;
	readonly directory: TenantView;
	readonly secrets: Secrets;
	/** For the threads, to which no object can be handed. */
	readonly secretKey: string;
	/** Copies of the files that are worked on. */
	readonly workDirectory: string;
	readonly log: Logger;
	readonly onJobLeft?: JobRunnerOptions['onLeft'];
}): Promise<Bulk> {
	const {database, warehouse, dataFiles, ingestion, directory, secrets, secretKey, log} = services;
	const {journal, acceptedKeys, userPoints, whenQueryable, identifierDeletion} = ingestion;
	const jobs = jobExecutionStore(database);
	const files = await InputFiles.open(services.workDirectory, dataFiles, await jobs.open());
	const threads = new JobPool<ImportTask | SearchTask, ReadPortion | SearchedPortion>({
		job: 'parse-import',
		threads: 1,
		data: {secretKey},
		youngMb: YOUNG_MB,
	});
	const pool = {run: (task: ImportTask) => threads.run(task) as Promise<ReadPortion>};
	const searchPool = {run: (task: SearchTask) => threads.run(task) as Promise<SearchedPortion>};
	const keptInputs = new KeptInputs({
		jobs,
		files,
		pool: searchPool,
		deletion: identifierDeletion,
		directory,
	});
	const journaled = {
		journal,
		acceptedKeys,
		secrets,
		directory,
		backlogBytes: () => ingestion.backlogBytes,
		whenQueryable,
	};
	const importJob = new ImportJob({
		jobs,
		files,
		pool,
		directory,
		kinds: {
			USER_ACTIVITY: journalImport(journaled, 'ACTIVITY'),
			USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS: journalImport(journaled, 'ASSOCIATION'),
			USER_IDENTIFIERS_DELETION: deletionImport({
				deletion: identifierDeletion,
				jobs,
				files,
				keptInputs,
				secrets,
			}),
			USER_SEGMENT: segmentImport({
				warehouse,
				userPoints,
				whenStored: () => identifierDeletion.whenStored(),
			}),
		},
	});
	let runner: JobRunner | undefined;
	const imports = documentImportStore(database);
	const wake = () => runner?.wake();
	return {
		jobs,
		files,
		wake,
		async start(others) {
			const kinds = {DOCUMENT_IMPORT: importJob, ...others};
			runner = new JobRunner({
				store: jobs,
				kinds,
				instance: ingestion.instance,
				log,
				onLeft: services.onJobLeft,
			});
			await runner.start();
		},
		routes: [
			...documentImportRoutes({
				imports,
				jobs,
				files,
				pool,
				directory,
				wake,
				leave: job => importJob.leave(job),
			}),
			...deletionReceiptRoutes({imports, jobs, files, directory, secrets}),
		],
		async close() {
			await runner?.close();
			await threads.close();
		},
	};
}
