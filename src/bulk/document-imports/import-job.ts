import type {JobPool} from '../../jobs/pool.ts';
import type {Datamart, TenantView} from '../../tenants/directory.ts';
import type {InputFiles} from '../job-executions/input-files.ts';
import type {JobExecutionStore} from '../job-executions/job-executions.store.ts';
import {
	type ClaimedJob,
	faultLine,
	type JobExecution,
	type JobResult,
	type LineFault,
} from '../job-executions/job-executions.ts';
import {type JobContext, type JobKind, leaveIfAsked} from '../job-executions/job-runner.ts';
import type {DocumentType} from './document-imports.ts';
import type {ImportTask, ReadPortion} from './import-lines.ts';
import {type Place, START} from './json-values.ts';

/** Notes that a portion was done: with it the lines that turned out bad, and what a receipt says. */
export type Note<State> = (
	outcome: {readonly faults?: readonly LineFault[]; readonly receipt?: Uint8Array; readonly state: State},
	transaction?: unknown,
) => Promise<void>;

/** What is done with the lines of one type of document. Whatever is done twice after a crash must come to the same. */
export interface ImportKind<State> {
	readonly reader: ImportTask['reader'];
	/** Before the first line is looked at. */
	begin(scope: ImportScope): Promise<State>;
	/** One portion; calls `note` once. */
	apply(portion: ReadPortion, state: State, scope: ImportScope, note: Note<State>): Promise<void>;
	/** After the last line; what it answers stands in the result. */
	finish(state: State, scope: ImportScope): Promise<JobResult['details'] | undefined>;
	/** Whether the file is removed at the end, however that is. */
	readonly removesInput?: boolean;
}

/** Keeps the state of a kind in step; erases its type for the table. */
export function importKind<State>(definition: ImportKind<State>): ImportKind<unknown> {
	return definition as unknown as ImportKind<unknown>;
}

export interface ImportScope {
	readonly job: ClaimedJob;
	readonly datamart: Datamart;
	readonly signal: AbortSignal;
}

interface Progress {
	readonly place: Place;
	readonly isRead: boolean;
	readonly state: unknown;
}

export interface ImportJobServices {
	readonly jobs: JobExecutionStore;
	readonly files: InputFiles;
	readonly pool: Pick<JobPool<ImportTask, ReadPortion>, 'run'>;
	readonly directory: TenantView;
	readonly kinds: Readonly<Record<DocumentType, ImportKind<unknown>>>;
}

/** Document imports as a kind of job: read portion by portion, each done and noted before the next. */
export class ImportJob implements JobKind {
	readonly #services: ImportJobServices;

	constructor(services: ImportJobServices) {
		this.#services = services;
	}

	async run(job: ClaimedJob, context: JobContext): Promise<JobResult> {
		const {directory, files} = this.#services;
		const datamart = directory.datamart(job.datamartId);
		if (!datamart) throw new Error(`datamart ${job.datamartId} is gone`);
		const kind = this.#kindOf(job);
		const scope: ImportScope = {job, datamart, signal: context.signal};
		let progress = job.progress as Progress | undefined;
		if (!progress) {
			progress = {place: START, isRead: false, state: await kind.begin(scope)};
			await context.save({progress, completed: 0, erroneous: 0});
		}
		if (!progress.isRead) progress = await this.#readAll(progress, kind, scope, context);
		leaveIfAsked(context.signal);
		const details = await kind.finish(progress.state, scope);
		if (kind.removesInput) await files.remove(job);
		return this.#resultOf(job, details);
	}

	async leave(job: JobExecution): Promise<JobResult> {
		if (this.#kindOf(job).removesInput) await this.#services.files.remove(job);
		return this.#resultOf(job, undefined);
	}

	#kindOf({parameters}: JobExecution): ImportKind<unknown> {
		return this.#services.kinds[parameters.documentType as DocumentType];
	}

	/** While one portion is written the next is read. */
	async #readAll(
		from: Progress,
		kind: ImportKind<unknown>,
		scope: ImportScope,
		context: JobContext,
	): Promise<Progress> {
		const {pool, files, directory} = this.#services;
		const {datamart} = scope;
		const file = await files.take(scope.job);
		const compartments = directory.compartmentsOf(datamart.id);
		const read = (place: Place) => {
			const portion = pool.run({reader: kind.reader, file, from: place, datamart, compartments});
			// Whoever waits for it is told; nobody may, where the job is left before.
			portion.catch(() => {});
			return portion;
		};
		let progress = from;
		for (let ahead = read(progress.place); !progress.isRead; ) {
			const portion = await ahead;
			leaveIfAsked(context.signal);
			if (!portion.isLast) ahead = read(portion.next);
			await kind.apply(portion, progress.state, scope, async (outcome, transaction) => {
				const {faults = [], receipt, state} = outcome;
				const noted = {place: portion.next, isRead: portion.isLast, state};
				const bad = [...portion.faults, ...faults].sort((a, b) => a.line - b.line);
				const step = {
					progress: noted,
					completed: portion.good - faults.length,
					erroneous: bad.length,
					errors: bad.map(faultLine).join(''),
					...(receipt && {receipt}),
				};
				await context.save(step, transaction);
				progress = noted;
			});
		}
		return progress;
	}

	async #resultOf(job: JobExecution, details: JobResult['details']): Promise<JobResult> {
		const {jobs, files} = this.#services;
		const errors = await files.write(job, 'errors', jobs.parts(job.id, 'errors'));
		const {completedTasks = 0, erroneousTasks = 0} = (await jobs.find(job.id)) ?? {};
		await files.release(job);
		return {
			totalSuccess: completedTasks,
			totalFailure: erroneousTasks,
			inputFileName: job.parameters.fileName,
			inputFileUri: this.#kindOf(job).removesInput ? null : job.parameters.fileUri,
			errorFileUri: errors?.uri ?? null,
			...(details && {details}),
		};
	}
}
