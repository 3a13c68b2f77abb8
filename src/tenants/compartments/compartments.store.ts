import type {Knex} from 'knex';
import {invalidField} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {violatedConstraint} from '../../postgres/errors.ts';
import {containing, selectPage} from '../../postgres/page.ts';
import type {Compartment} from '../tenants.ts';

export type NewCompartment = Pick<Compartment, 'datamartId' | 'name' | 'token' | 'isDefault'>;

export interface CompartmentQuery {
	readonly datamartId: number;
	readonly keywords?: string | undefined;
}

export interface CompartmentStore {
	/** A new default takes the place of the former one. Throws `field_invalid` naming `/token` when it is taken. */
	create(compartment: NewCompartment): Promise<Compartment>;
	find(id: number): Promise<Compartment | undefined>;
	list(query: CompartmentQuery, paging: Paging): Promise<Page<Compartment>>;
}

interface Row {
	id: number;
	datamart_id: number;
	organisation_id: number;
	name: string;
	token: string;
	is_default: boolean;
	archived: boolean;
}

function fromRow(row: Row): Compartment {
	return {
		id: row.id,
		datamartId: row.datamart_id,
		organisationId: row.organisation_id,
		name: row.name,
		token: row.token,
		isDefault: row.is_default,
		archived: row.archived,
	};
}

function select(sql: Knex): Knex.QueryBuilder {
	return sql('compartments')
		.join('datamarts', 'datamarts.id', 'compartments.datamart_id')
		.select('compartments.*', 'datamarts.organisation_id');
}

export async function insertCompartment(tx: Knex.Transaction, values: NewCompartment): Promise<Compartment> {
	if (values.isDefault) {
		await tx('compartments')
			.where({datamart_id: values.datamartId, is_default: true})
			.update({is_default: false});
	}
	const [inserted] = await tx('compartments')
		.insert({
			datamart_id: values.datamartId,
			name: values.name,
			token: values.token,
			is_default: values.isDefault,
			creation_ts: Date.now(),
		})
		.returning('id');
	return fromRow(await select(tx).where('compartments.id', inserted.id).first());
}

export async function allCompartments(sql: Knex): Promise<Compartment[]> {
	const rows: Row[] = await select(sql).orderBy('compartments.id');
	return rows.map(fromRow);
}

export function compartmentStore(database: Database): CompartmentStore {
	return {
		async create(compartment) {
			try {
				return await database.transaction(tx => insertCompartment(tx, compartment));
			} catch (error) {
				if (violatedConstraint(error) !== 'compartments_token') throw error;
				throw invalidField('/token', 'is taken by another compartment of the datamart');
			}
		},
		async find(id) {
			const row: Row | undefined = await database.run(sql =>
				select(sql).where('compartments.id', id).first(),
			);
			return row && fromRow(row);
		},
		list: ({datamartId, keywords}, paging) =>
			database.run(sql => {
				const query = select(sql).where('datamart_id', datamartId);
				containing(query, 'compartments.name', keywords);
				return selectPage(query, 'compartments.id', paging, fromRow);
			}),
	};
}
