import type {Knex} from 'knex';
import {invalidField} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {violatedConstraint} from '../../postgres/errors.ts';
import {containing, selectPage} from '../../postgres/page.ts';
import type {Channel, ChannelType} from '../tenants.ts';

export type NewChannel = Omit<Channel, 'id' | 'organisationId' | 'creationTs'>;

/** What may change later; the type and the token stand in pages and apps already. */
export type ChannelChange = Partial<
	Pick<Channel, 'name' | 'domain' | 'enableAnalytics' | 'enableInstallationIdAggregation'>
>;

/** A channel named by all three, as the paths of PUT and DELETE do: another datamart's is none. */
export type ChannelKey = Pick<Channel, 'id' | 'datamartId' | 'type'>;

export interface ChannelQuery {
	readonly datamartId: number;
	readonly type?: ChannelType | undefined;
	readonly keywords?: string | undefined;
}

export interface ChannelStore {
	/** Throws `field_invalid` naming `/token` when it is taken. */
	create(channel: NewChannel): Promise<Channel>;
	find(id: number): Promise<Channel | undefined>;
	list(query: ChannelQuery, paging: Paging): Promise<Page<Channel>>;
	/** Undefined when there is no such channel. */
	update(key: ChannelKey, change: ChannelChange): Promise<Channel | undefined>;
	/** Whether there was one. Its activities stay. */
	remove(key: ChannelKey): Promise<boolean>;
}

interface Row {
	id: number;
	datamart_id: number;
	organisation_id: number;
	type: ChannelType;
	name: string;
	token: string;
	domain: string | null;
	enable_analytics: boolean;
	enable_installation_id_aggregation: boolean;
	creation_ts: number;
}

function fromRow(row: Row): Channel {
	return {
		id: row.id,
		datamartId: row.datamart_id,
		organisationId: row.organisation_id,
		type: row.type,
		name: row.name,
		token: row.token,
		domain: row.domain,
		enableAnalytics: row.enable_analytics,
		enableInstallationIdAggregation: row.enable_installation_id_aggregation,
		creationTs: row.creation_ts,
	};
}

function select(sql: Knex): Knex.QueryBuilder {
	return sql('channels')
		.join('datamarts', 'datamarts.id', 'channels.datamart_id')
		.select('channels.*', 'datamarts.organisation_id');
}

/** Columns of what is given; absent ones stay as they are. */
function toRow(values: ChannelChange): Partial<Row> {
	return {
		...(values.name !== undefined && {name: values.name}),
		...(values.domain !== undefined && {domain: values.domain}),
		...(values.enableAnalytics !== undefined && {enable_analytics: values.enableAnalytics}),
		...(values.enableInstallationIdAggregation !== undefined && {
			enable_installation_id_aggregation: values.enableInstallationIdAggregation,
		}),
	};
}

export async function insertChannel(sql: Knex, values: NewChannel): Promise<Channel> {
	const [inserted] = await sql('channels')
		.insert({
			...toRow(values),
			datamart_id: values.datamartId,
			type: values.type,
			token: values.token,
			creation_ts: Date.now(),
		})
		.returning('id');
	return fromRow(await select(sql).where('channels.id', inserted.id).first());
}

export async function allChannels(sql: Knex): Promise<Channel[]> {
	const rows: Row[] = await select(sql).orderBy('channels.id');
	return rows.map(fromRow);
}

export function channelStore(database: Database): ChannelStore {
	const byKey = (sql: Knex, {id, datamartId, type}: ChannelKey) =>
		sql('channels').where({id, datamart_id: datamartId, type});
	return {
		async create(channel) {
			try {
				return await database.run(sql => insertChannel(sql, channel));
			} catch (error) {
				if (violatedConstraint(error) !== 'channels_token') throw error;
				throw invalidField('/token', 'is taken by another channel');
			}
		},
		async find(id) {
			const row: Row | undefined = await database.run(sql => select(sql).where('channels.id', id).first());
			return row && fromRow(row);
		},
		list: ({datamartId, type, keywords}, paging) =>
			database.run(sql => {
				const query = select(sql).where('datamart_id', datamartId);
				if (type) query.where('channels.type', type);
				containing(query, 'channels.name', keywords);
				return selectPage(query, 'channels.id', paging, fromRow);
			}),
		async update(key, change) {
			const row: Row | undefined = await database.run(async sql => {
				const values = toRow(change);
				if (Object.keys(values).length > 0) await byKey(sql, key).update(values);
				return select(sql)
					.where({'channels.id': key.id, datamart_id: key.datamartId, 'channels.type': key.type})
					.first();
			});
			return row && fromRow(row);
		},
		remove: async key => (await database.run(sql => byKey(sql, key).delete())) > 0,
	};
}
