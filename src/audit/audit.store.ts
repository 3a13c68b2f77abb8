import type {Page, Paging} from '../lib/page.ts';
import type {Database} from '../postgres/database.ts';
import type {AuditEntry, AuditEvent, StoredAuditEntry} from './audit.ts';

export interface AuditQuery {
	readonly organisationId: number;
	readonly event?: AuditEvent | undefined;
	readonly userId?: number | undefined;
}

/** Entries are only ever added. */
export interface AuditStore {
	append(entry: AuditEntry): Promise<void>;
	/** Newest first. */
	list(query: AuditQuery, paging: Paging): Promise<Page<StoredAuditEntry>>;
}

interface Row {
	id: number;
	event: AuditEvent;
	ts: number;
	organisation_id: number | null;
	user_id: number | null;
	credential: string | null;
	credential_id: string | null;
	remote_address: string;
	resource_id: string | null;
	details: Record<string, unknown>;
}

function fromRow(row: Row): StoredAuditEntry {
	return {
		id: row.id,
		event: row.event,
		ts: row.ts,
		organisationId: row.organisation_id,
		userId: row.user_id,
		credential: row.credential,
		credentialId: row.credential_id,
		remoteAddress: row.remote_address,
		resourceId: row.resource_id,
		details: row.details,
	};
}

export function auditStore(database: Database): AuditStore {
	return {
		append: entry =>
			database.run(async sql => {
				await sql('audit_events').insert({
					event: entry.event,
					ts: entry.ts,
					organisation_id:
						entry.organisationId ??
						sql.raw('(select organisation_id from users where id = ?)', [entry.userId]),
					user_id: entry.userId,
					credential: entry.credential,
					credential_id: entry.credentialId,
					remote_address: entry.remoteAddress,
					resource_id: entry.resourceId,
					details: JSON.stringify(entry.details),
				});
			}),
		list: ({organisationId, event, userId}, {firstResult, maxResults}) =>
			database.run(async sql => {
				const query = sql('audit_events').where('organisation_id', organisationId);
				if (event) query.where({event});
				if (userId !== undefined) query.where('user_id', userId);
				const [counted] = await query.clone().count({total: '*'});
				const rows: Row[] = await query.orderBy('id', 'desc').offset(firstResult).limit(maxResults);
				return {items: rows.map(fromRow), total: Number(counted?.total ?? 0)};
			}),
	};
}
