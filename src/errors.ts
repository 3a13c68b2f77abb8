/**
 * What can go wrong, in domain words. A code, a message and the faulty fields; never an HTTP status:
 * `http/problem.ts` alone maps codes to statuses, and a test holds the two lists together.
 */
export const ERROR_CODES = [
	'json_malformed',
	'body_too_large',
	'body_unreadable',
	'body_missing',
	'encoding_invalid',
	'csv_header_invalid',
	'final_values_invalid',
	'encoding_unsupported',
	'field_invalid',
	'token_missing',
	'token_malformed',
	'token_unknown',
	'token_expired',
	'signature_invalid',
	'signature_not_accepted',
	'credentials_invalid',
	'logins_excessive',
	'credentials_excessive',
	'access_token_required',
	'rate_limit_exceeded',
	'role_insufficient',
	'dimension_unknown',
	'metric_unknown',
	'operator_unknown',
	'expressions_missing',
	'date_range_inverted',
	'steps_missing',
	'steps_excessive',
	'route_not_found',
	'method_not_allowed',
	'records_excessive',
	'not_yet_queryable',
	'community_not_found',
	'organisation_not_found',
	'datamart_not_found',
	'compartment_not_found',
	'compartment_unknown',
	'channel_not_found',
	'user_not_found',
	'api_token_not_found',
	'signing_key_not_found',
	'key_id_taken',
	'user_role_not_found',
	'administrator_last',
	'user_point_not_found',
	'user_segment_not_found',
	'data_file_not_found',
	'data_file_reserved',
	'asset_not_found',
	'segment_builder_not_found',
	'segment_builders_excessive',
	'folders_excessive',
	'plugin_layout_not_found',
	'plugin_layout_missing',
	'plugin_translation_not_found',
	'plugin_version_archived',
	'preset_not_found',
	'preset_archived',
	'document_import_not_found',
	'document_import_busy',
	'deletion_receipt_missing',
	'job_execution_not_found',
	'datamart_schema_not_found',
	'audience_feature_not_found',
	'audience_feature_folder_not_found',
	'job_execution_ended',
	'dead_letter_not_found',
	'dead_letter_replayed',
	'dead_letter_not_replayable',
	'market_unknown',
	'plugin_not_found',
	'plugin_taken',
	'plugin_version_not_found',
	'version_id_taken',
	'plugin_property_not_found',
	'plugin_property_fixed',
	'plugin_worker_not_found',
	'configuration_file_not_found',
	'configuration_files_excessive',
	'plugin_instance_not_found',
	'plugin_instance_in_use',
	'email_template_not_found',
	'email_template_archived',
	'channel_link_not_found',
	'channel_links_excessive',
	'identifier_refused',
	'timestamp_out_of_range',
	'groups_excessive',
	'query_timed_out',
	'query_cancelled',
	'query_not_found',
	'queries_excessive',
	'query_memory_exceeded',
	'query_failed',
	'store_unavailable',
	'journal_full',
	'analyzers_behind',
	'plugin_worker_failed',
	'activity_trace_not_found',
	'shutting_down',
	'internal_error',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** One faulty field: a JSON pointer (RFC 6901) into the body, or `?name` for a query parameter. */
export interface Fault {
	readonly pointer: string;
	readonly message: string;
}

/** Thrown by the domain; anything else that reaches the edge is an internal error. */
export class DomainError extends Error {
	readonly code: ErrorCode;
	readonly faults: readonly Fault[];
	readonly retryAfterSeconds: number | undefined;

	constructor(
		code: ErrorCode,
		message: string,
		options: {faults?: readonly Fault[]; retryAfterSeconds?: number; cause?: unknown} = {},
	) {
		super(message, {cause: options.cause});
		this.name = 'DomainError';
		this.code = code;
		this.faults = options.faults ?? [];
		this.retryAfterSeconds = options.retryAfterSeconds;
	}
}

type Missing = Extract<ErrorCode, `${string}_not_found`>;

/** Every 404 says exactly `Resource Not Found`: clients in the field match on that text (field guide, section 1). */
export function notFound(code: Missing): DomainError {
	return new DomainError(code, 'Resource Not Found');
}

/** A single faulty field, named in the text and by its pointer. */
export function invalidField(
	pointer: string,
	message: string,
	code: ErrorCode = 'field_invalid',
): DomainError {
	return new DomainError(code, `${pointer || 'body'}: ${message}`, {faults: [{pointer, message}]});
}
