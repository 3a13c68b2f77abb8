import type {Knex} from 'knex';
import {invalidField} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {violatedConstraint} from '../../postgres/errors.ts';
import {containing, selectPage} from '../../postgres/page.ts';
import {insertCompartment} from '../compartments/compartments.store.ts';
import type {Datamart} from '../tenants.ts';

export type NewDatamart = Omit<Datamart, 'id' | 'communityId' | 'creationTs' | 'type' | 'archived'>;

export interface DatamartQuery {
	readonly organisationIds: readonly number[];
	readonly keywords?: string | undefined;
	readonly archived?: boolean | undefined;
}

export interface DatamartStore {
	/** Its default compartment is made with it. Throws `field_invalid` naming `/token` when that is taken. */
	create(datamart: NewDatamart): Promise<Datamart>;
	find(id: number): Promise<Datamart | undefined>;
	list(query: DatamartQuery, paging: Paging): Promise<Page<Datamart>>;
}

interface Row {
	id: number;
	organisation_id: number;
	community_id: number;
	name: string;
	token: string;
	creation_ts: number;
	time_zone: string;
	datafarm: string;
	storage_model_version: string;
	user_point_system_version: string;
	region: string;
	archived: boolean;
}

function fromRow(row: Row): Datamart {
	return {
		id: row.id,
		organisationId: row.organisation_id,
		communityId: row.community_id,
		name: row.name,
		token: row.token,
		creationTs: row.creation_ts,
		timeZone: row.time_zone,
		type: 'DATAMART',
		datafarm: row.datafarm,
		storageModelVersion: row.storage_model_version,
		userPointSystemVersion: row.user_point_system_version,
		region: row.region,
		archived: row.archived,
	};
}

function select(sql: Knex): Knex.QueryBuilder {
	return sql('datamarts')
		.join('organisations', 'organisations.id', 'datamarts.organisation_id')
		.select('datamarts.*', 'organisations.community_id');
}

/** Needs a transaction: the datamart and its default compartment come together or not at all. */
export async function insertDatamart(tx: Knex.Transaction, values: NewDatamart): Promise<Datamart> {
	const [inserted] = await tx('datamarts')
		.insert({
			organisation_id: values.organisationId,
			name: values.name,
			token: values.token,
			creation_ts: Date.now(),
			time_zone: values.timeZone,
			datafarm: values.datafarm,
			storage_model_version: values.storageModelVersion,
			user_point_system_version: values.userPointSystemVersion,
			region: values.region,
		})
		.returning('id');
	await insertCompartment(tx, {datamartId: inserted.id, name: 'Default', token: 'default', isDefault: true});
	return fromRow(await select(tx).where('datamarts.id', inserted.id).first());
}

export async function allDatamarts(sql: Knex): Promise<Datamart[]> {
	const rows: Row[] = await select(sql).orderBy('datamarts.id');
	return rows.map(fromRow);
}

export function datamartStore(database: Database): DatamartStore {
	return {
		async create(datamart) {
			try {
				return await database.transaction(tx => insertDatamart(tx, datamart));
			} catch (error) {
				if (violatedConstraint(error) !== 'datamarts_token') throw error;
				throw invalidField('/token', 'is taken by another datamart');
			}
		},
		async find(id) {
			const row: Row | undefined = await database.run(sql => select(sql).where('datamarts.id', id).first());
			return row && fromRow(row);
		},
		list: ({organisationIds, keywords, archived}, paging) =>
			database.run(sql => {
				const query = select(sql).whereRaw('organisation_id = any(?::bigint[])', [[...organisationIds]]);
				if (archived !== undefined) query.where('datamarts.archived', archived);
				containing(query, 'datamarts.name', keywords);
				return selectPage(query, 'datamarts.id', paging, fromRow);
			}),
	};
}
