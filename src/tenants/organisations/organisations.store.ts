import type {Knex} from 'knex';
import {invalidField} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {violatedConstraint} from '../../postgres/errors.ts';
import {containing, selectPage} from '../../postgres/page.ts';
import type {Organisation} from '../tenants.ts';

export interface NewOrganisation {
	readonly communityId: number;
	readonly administratorId: number | null;
	readonly marketId: number | null;
	readonly name: string;
	readonly technicalName: string | null;
	readonly customerType: string;
	readonly createdBy: number | null;
}

export interface OrganisationQuery {
	/** Only these: what the caller may see. */
	readonly ids: readonly number[];
	readonly communityId?: number | undefined;
	readonly administratorId?: number | undefined;
	readonly keywords?: string | undefined;
	readonly archived?: boolean | undefined;
}

export interface OrganisationStore {
	/** Throws `field_invalid` naming `/technical_name` when the community has it already. */
	create(organisation: NewOrganisation): Promise<Organisation>;
	find(id: number): Promise<Organisation | undefined>;
	list(query: OrganisationQuery, paging: Paging): Promise<Page<Organisation>>;
}

interface Row {
	id: number;
	community_id: number;
	administrator_id: number | null;
	market_id: number | null;
	name: string;
	technical_name: string | null;
	customer_type: string;
	archived: boolean;
	created_by: number | null;
	created_ts: number;
	last_modified_by: number | null;
	last_modified_ts: number;
}

function fromRow(row: Row): Organisation {
	return {
		id: row.id,
		communityId: row.community_id,
		administratorId: row.administrator_id,
		marketId: row.market_id,
		name: row.name,
		technicalName: row.technical_name,
		customerType: row.customer_type,
		archived: row.archived,
		createdBy: row.created_by,
		createdTs: row.created_ts,
		lastModifiedBy: row.last_modified_by,
		lastModifiedTs: row.last_modified_ts,
	};
}

export async function insertOrganisation(sql: Knex, values: NewOrganisation): Promise<Organisation> {
	const now = Date.now();
	const rows: Row[] = await sql('organisations')
		.insert({
			community_id: values.communityId,
			administrator_id: values.administratorId,
			market_id: values.marketId,
			name: values.name,
			technical_name: values.technicalName,
			customer_type: values.customerType,
			created_by: values.createdBy,
			created_ts: now,
			last_modified_by: values.createdBy,
			last_modified_ts: now,
		})
		.returning('*');
	return fromRow(rows[0]!);
}

export async function allOrganisations(sql: Knex): Promise<Organisation[]> {
	const rows: Row[] = await sql('organisations').select('*').orderBy('id');
	return rows.map(fromRow);
}

export function organisationStore(database: Database): OrganisationStore {
	return {
		async create(organisation) {
			try {
				return await database.run(sql => insertOrganisation(sql, organisation));
			} catch (error) {
				if (violatedConstraint(error) !== 'organisations_technical_name') throw error;
				throw invalidField('/technical_name', 'is taken by another organisation');
			}
		},
		async find(id) {
			const row: Row | undefined = await database.run(sql => sql('organisations').where({id}).first());
			return row && fromRow(row);
		},
		list: ({ids, communityId, administratorId, keywords, archived}, paging) =>
			database.run(sql => {
				const query = sql('organisations')
					.select('*')
					.whereRaw('id = any(?::bigint[])', [[...ids]]);
				if (communityId !== undefined) query.where('community_id', communityId);
				if (administratorId !== undefined) query.where('administrator_id', administratorId);
				if (archived !== undefined) query.where('archived', archived);
				containing(query, 'name', keywords);
				return selectPage(query, 'id', paging, fromRow);
			}),
	};
}
