/** What kinds of bulk work there are: of each, a datamart's executions run one after the other. */
export const JOB_TYPES = ['DOCUMENT_IMPORT', 'REFERENCE_TABLE'] as const;
export type JobType = (typeof JOB_TYPES)[number];

export const JOB_STATUSES = ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** One file's way through a job. Instants are epoch ms; what is not known yet is null. */
export interface JobExecution {
	readonly id: number;
	readonly jobType: JobType;
	readonly organisationId: number;
	readonly datamartId: number;
	readonly documentImportId: number | null;
	/** Who asked for it. */
	readonly userId: number | null;
	readonly parameters: JobParameters;
	readonly status: JobStatus;
	readonly creationTs: number;
	readonly startTs: number | null;
	readonly endTs: number | null;
	/** Lines of the file; each is completed or erroneous in the end. */
	readonly numTasks: number;
	readonly completedTasks: number;
	readonly erroneousTasks: number;
	/** How often it was begun again: after a crash, or when a store was away. */
	readonly retryCount: number;
	readonly cancelStatus: 'REQUESTED' | 'DONE' | null;
	readonly result: JobResult | null;
	readonly error: {readonly message: string} | null;
}

/** What a job was asked for with. */
export interface JobParameters {
	/** Of a document import. */
	readonly documentType?: string;
	readonly fileUri: string;
	/** As the sender called the file. */
	readonly fileName: string | null;
	readonly fileBytes: number;
}

/** What came of it, once it ended. */
export interface JobResult {
	readonly totalSuccess: number;
	readonly totalFailure: number;
	readonly inputFileName: string | null;
	/** Null where the file is gone: a deletion's is. */
	readonly inputFileUri: string | null;
	/** Null where no line was bad. */
	readonly errorFileUri: string | null;
	/** What the job has to say beside it, as it goes over the wire. */
	readonly details?: Readonly<Record<string, unknown>>;
}

export interface NewJobExecution {
	readonly id: number;
	readonly jobType: JobType;
	readonly organisationId: number;
	readonly datamartId: number;
	readonly documentImportId: number | null;
	readonly userId: number | null;
	readonly parameters: JobParameters;
	readonly numTasks: number;
}

/** An execution that this process may work on, for as long as its claim holds. */
export interface ClaimedJob extends JobExecution {
	readonly claim: number;
	/** What the last `save` left; undefined at the first beginning. */
	readonly progress: unknown;
}

/** One step of a job, noted whole: how far it came, and what it has to say of its lines. */
export interface JobStep {
	readonly progress: unknown;
	/** Lines done since the step before. */
	readonly completed: number;
	readonly erroneous: number;
	/** Whole ndjson lines for the error file and for the receipt, the latter as UTF-8. */
	readonly errors?: string;
	readonly receipt?: Uint8Array;
}

/** Which lines of a kind of job are kept until its end. */
export type PartKind = 'errors' | 'receipt';

/** A bad line, as the error file tells it. */
export interface LineFault {
	/** Of the file, from 1. */
	readonly line: number;
	/** A JSON pointer into the line's value, '' for all of it; the name of a column in a CSV. */
	readonly pointer: string;
	readonly message: string;
}

/** One line of an error file. */
export function faultLine({line, pointer, message}: LineFault): string {
	return `${JSON.stringify({line, pointer, message})}\n`;
}

/** How long it took in ms: until now while it runs, null before. */
export function durationOf({startTs, endTs}: JobExecution, nowMs: number = Date.now()): number | null {
	return startTs === null ? null : (endTs ?? nowMs) - startTs;
}
