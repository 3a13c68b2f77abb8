import {z} from 'zod';
import {durationOf, JOB_STATUSES, JOB_TYPES, type JobExecution} from './job-executions.ts';

/** `POST .../action`. */
export const JobAction = z.looseObject({action: z.literal('CANCEL', 'must be CANCEL')});

const Result = z.object({
	total_success: z.number(),
	total_failure: z.number(),
	input_file_name: z.string().nullable(),
	input_file_uri: z.string().nullable(),
	error_file_uri: z.string().nullable(),
	receipt: z
		.object({
			found: z.number(),
			removed: z.number(),
			unknown: z.number(),
			finished_ts: z.number(),
			// Null where no line was good.
			receipt_file_uri: z.string().nullable(),
			receipt_file_sha256: z.string().optional(),
			signature: z.string(),
		})
		.optional(),
});

/** The union of the specification's reference table job execution and the field's import executions. */
export const JobExecutionAnswer = z.object({
	id: z.string(),
	status: z.enum(JOB_STATUSES),
	creation_date: z.number(),
	start_date: z.number().nullable(),
	duration: z.number().nullable(),
	organisation_id: z.string(),
	user_id: z.string().nullable(),
	cancel_status: z.enum(['REQUESTED', 'DONE']).nullable(),
	debug: z.null(),
	is_retryable: z.boolean(),
	permalink_uri: z.string(),
	num_tasks: z.number(),
	completed_tasks: z.number(),
	erroneous_tasks: z.number(),
	retry_count: z.number(),
	job_type: z.enum(JOB_TYPES),
	import_mode: z.literal('MANUAL_FILE'),
	import_type: z.string().nullable(),
	external_model_name: z.string(),
	external_model_id: z.string().nullable(),
	parameters: z.object({
		datamart_id: z.number(),
		document_import_id: z.number().optional(),
		document_type: z.string().optional(),
		mime_type: z.string(),
		file_uri: z.string(),
	}),
	result: Result.nullable(),
	error: z.object({message: z.string()}).nullable(),
});

const MODELS = {
	DOCUMENT_IMPORT: {name: 'PUBLIC_DOCUMENT_IMPORT', mimeType: 'APPLICATION_X_NDJSON'},
	REFERENCE_TABLE: {name: 'PUBLIC_REFERENCE_TABLE', mimeType: 'TEXT_CSV'},
} as const;

/** Unfilled fields are null (specification, "Reference table job execution"). Instants are epoch ms, durations ms. */
export function jobExecutionToWire(job: JobExecution): z.input<typeof JobExecutionAnswer> {
	const {documentImportId, parameters, result} = job;
	const model = MODELS[job.jobType];
	return {
		id: String(job.id),
		status: job.status,
		creation_date: job.creationTs,
		start_date: job.startTs,
		duration: durationOf(job),
		organisation_id: String(job.organisationId),
		user_id: job.userId === null ? null : String(job.userId),
		cancel_status: job.cancelStatus,
		debug: null,
		is_retryable: false,
		permalink_uri: pathOf(job),
		num_tasks: job.numTasks,
		completed_tasks: job.completedTasks,
		erroneous_tasks: job.erroneousTasks,
		retry_count: job.retryCount,
		job_type: job.jobType,
		import_mode: 'MANUAL_FILE',
		import_type: parameters.documentType ?? null,
		external_model_name: model.name,
		external_model_id: documentImportId === null ? null : String(documentImportId),
		parameters: {
			datamart_id: job.datamartId,
			...(documentImportId === null ? {} : {document_import_id: documentImportId}),
			...(parameters.documentType === undefined ? {} : {document_type: parameters.documentType}),
			mime_type: model.mimeType,
			file_uri: parameters.fileUri,
		},
		result: result && {
			total_success: result.totalSuccess,
			total_failure: result.totalFailure,
			input_file_name: result.inputFileName,
			input_file_uri: result.inputFileUri,
			error_file_uri: result.errorFileUri,
			...result.details,
		},
		error: job.error,
	};
}

/** Where it is read again. */
function pathOf({id, datamartId, documentImportId}: JobExecution): string {
	return documentImportId === null
		? `/v1/datamarts/${datamartId}/reference_table_job_executions/${id}`
		: `/v1/datamarts/${datamartId}/document_imports/${documentImportId}/executions/${id}`;
}
