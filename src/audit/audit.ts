import type {Logger} from 'pino';
import type {Principal} from '../identity/principal.ts';
import type {AuditStore} from './audit.store.ts';

/** What is written down, noun and state. A route names one of these, and every call of it that succeeds is kept. */
export const AUDIT_EVENTS = [
	'access_token_created',
	'refresh_token_created',
	'refresh_token_revoked',
	'api_token_created',
	'api_token_renamed',
	'api_token_revoked',
	'message_authentication_key_created',
	'message_authentication_key_revoked',
	'user_created',
	'user_changed',
	'user_removed',
	'user_role_granted',
	'user_role_revoked',
	'organisation_created',
	'datamart_created',
	'compartment_created',
	'channel_created',
	'channel_changed',
	'channel_removed',
	'document_import_created',
	'document_import_changed',
	'document_import_removed',
	'document_import_executed',
	'deletion_receipt_verified',
	'final_values_imported',
	'datamart_schema_changed',
	'audience_feature_created',
	'audience_feature_changed',
	'audience_feature_removed',
	'audience_feature_folder_created',
	'audience_feature_folder_changed',
	'audience_feature_folder_removed',
	'job_execution_canceled',
	'dead_letter_replayed',
	'dead_letter_removed',
	'data_file_stored',
	'data_file_removed',
	'asset_created',
	'asset_removed',
	'segment_builder_created',
	'segment_builder_changed',
	'segment_builder_removed',
	'plugin_layout_stored',
	'plugin_layout_translation_stored',
	'plugin_preset_created',
	'plugin_preset_changed',
	'plugin_created',
	'plugin_changed',
	'plugin_version_created',
	'plugin_version_changed',
	'plugin_worker_changed',
	'plugin_worker_rotated',
	'plugin_worker_asked',
	'plugin_worker_removed',
	'configuration_file_stored',
	'plugin_instance_created',
	'plugin_instance_changed',
	'plugin_instance_removed',
	'plugin_property_changed',
	'plugin_property_reset',
	'email_template_created',
	'email_template_changed',
	'email_test_sent',
	'channel_analyzer_linked',
	'channel_analyzer_unlinked',
	'query_cancelled',
] as const;

export type AuditEvent = (typeof AUDIT_EVENTS)[number];

/** Who did what, when and from where; never a secret: see `TOLD`. Instants are epoch milliseconds. */
export interface AuditEntry {
	readonly event: AuditEvent;
	readonly ts: number;
	/** Whose trail it stands in; null: that of the user's own organisation. */
	readonly organisationId: number | null;
	readonly userId: number | null;
	/** What they came with, and its record id: `access_token`, `api_token`, `password` ... */
	readonly credential: string | null;
	readonly credentialId: string | null;
	readonly remoteAddress: string;
	readonly resourceId: string | null;
	/** Values of the fields in `TOLD`, and the names of the fields a change brought. */
	readonly details: Readonly<Record<string, unknown>>;
}

export interface StoredAuditEntry extends AuditEntry {
	readonly id: number;
}

/** What only the handler knows; it fills this in where path, body and answer do not say it. */
export interface Trail {
	organisationId?: number;
	userId?: number;
	resourceId?: string | number;
	details?: Readonly<Record<string, unknown>>;
	/** Nothing has changed after all. */
	skip?: boolean;
}

/** One call that succeeded, as the edge saw it. */
export interface AuditedCall {
	readonly event: AuditEvent;
	readonly method: string;
	readonly principal: Principal | undefined;
	readonly remoteAddress: string;
	readonly params: Readonly<Record<string, string>>;
	/** Of the datamart in the path. */
	readonly organisationId: number | undefined;
	readonly body: unknown;
	readonly answer: unknown;
	readonly trail: Trail;
}

/** Fields of a body whose values may be written down; of all others only the name. */
const TOLD = new Set([
	...['role', 'organisationId', 'administratorId', 'email', 'name', 'type', 'timeZone'],
	...['keyId', 'scheme', 'pluginType', 'technicalName'],
]);

/** The trail itself. An entry that cannot be stored goes to the log whole: the change it tells of has happened. */
export class Audit {
	readonly #store: AuditStore;
	readonly #log: Logger;
	readonly #now: () => number;

	constructor(services: {readonly store: AuditStore; readonly log: Logger; readonly now?: () => number}) {
		this.#store = services.store;
		this.#log = services.log;
		this.#now = services.now ?? Date.now;
	}

	/** Resolves once the entry is stored, or logged; never rejects. */
	async record(call: AuditedCall): Promise<void> {
		if (call.trail.skip) return;
		const entry = entryOf(call, this.#now());
		try {
			await this.#store.append(entry);
		} catch (error) {
			this.#log.error({error, audit: entry}, 'an audit entry could not be stored');
		}
	}
}

export function entryOf(call: AuditedCall, ts: number): AuditEntry {
	const {event, principal, params, trail, remoteAddress} = call;
	const user = principal?.kind === 'user' ? principal : undefined;
	const holder = principal && principal.kind !== 'channel' ? principal : undefined;
	const {id, organisation_id: answered} = dataOf(call.answer);
	const organisationId = first(
		trail.organisationId,
		call.organisationId,
		Number(params.organisationId) || undefined,
		Number(answered) || undefined,
	);
	const resourceId = first(trail.resourceId, id as string | number | undefined, Object.values(params).at(-1));
	return {
		event,
		ts,
		organisationId: organisationId ?? null,
		userId: first(trail.userId, user?.userId) ?? null,
		credential: holder ? holder.credential : null,
		credentialId: holder ? holder.credentialId : null,
		remoteAddress,
		resourceId: resourceId === undefined ? null : String(resourceId),
		details: {
			...(trail.userId === undefined && params.userId ? {user_id: params.userId} : {}),
			...toldOf(call),
		},
	};
}

function toldOf({body, method, trail}: AuditedCall): Record<string, unknown> {
	const fields =
		typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : [];
	const given = fields.filter(([, value]) => value !== undefined && value !== null);
	const values = given.filter(([name, value]) => TOLD.has(name) && isPlain(value));
	return {
		...Object.fromEntries(values.map(([name, value]) => [snake(name), String(value)])),
		...(method === 'PUT' && {fields: given.map(([name]) => snake(name))}),
		...trail.details,
	};
}

function isPlain(value: unknown): boolean {
	return (typeof value === 'string' && value.length <= 320) || typeof value === 'number';
}

function dataOf(answer: unknown): {id?: unknown; organisation_id?: unknown} {
	const data = (answer as {data?: unknown} | undefined)?.data;
	return typeof data === 'object' && data !== null ? data : {};
}

function first<T>(...values: (T | undefined)[]): T | undefined {
	return values.find(value => value !== undefined);
}

function snake(name: string): string {
	return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}
