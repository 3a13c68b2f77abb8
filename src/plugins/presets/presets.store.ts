import type {Knex} from 'knex';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {containing, selectPage} from '../../postgres/page.ts';
import type {PluginType} from '../catalogue/plugins.ts';
import type {PropertyAssignment} from '../properties/properties.ts';
import type {Preset} from './presets.ts';

export type NewPreset = Pick<
	Preset,
	'organisationId' | 'pluginVersionId' | 'name' | 'description' | 'properties'
>;

export interface PresetChange {
	readonly name?: string;
	readonly description?: string | null;
	/** For good. */
	readonly archived?: true;
}

export interface PresetQuery {
	/** Of these organisations and no others. */
	readonly organisationIds: readonly number[];
	readonly pluginType?: PluginType | undefined;
	readonly pluginVersionId?: number | undefined;
	readonly archived: boolean;
	/** In the name. */
	readonly keywords?: string | undefined;
}

export interface PresetStore {
	create(preset: NewPreset): Promise<Preset>;
	find(id: number): Promise<Preset | undefined>;
	list(query: PresetQuery, paging: Paging): Promise<Page<Preset>>;
	update(id: number, change: PresetChange): Promise<Preset | undefined>;
}

interface Row {
	id: number;
	organisation_id: number;
	plugin_id: number;
	plugin_version_id: number;
	plugin_type: PluginType;
	name: string;
	description: string | null;
	properties: PropertyAssignment[];
	archived: boolean;
	creation_ts: number;
}

function fromRow(row: Row): Preset {
	return {
		id: row.id,
		organisationId: row.organisation_id,
		pluginId: row.plugin_id,
		pluginVersionId: row.plugin_version_id,
		pluginType: row.plugin_type,
		name: row.name,
		description: row.description,
		properties: row.properties,
		archived: row.archived,
		creationTs: row.creation_ts,
	};
}

function select(sql: Knex): Knex.QueryBuilder {
	return sql('plugin_presets as preset')
		.join('plugin_versions as version', 'version.id', 'preset.plugin_version_id')
		.join('plugins as plugin', 'plugin.id', 'version.plugin_id')
		.select('preset.*', 'version.plugin_id', 'plugin.plugin_type');
}

export function presetStore(database: Database): PresetStore {
	const find = async (sql: Knex, id: number): Promise<Preset | undefined> => {
		const row: Row | undefined = await select(sql).where('preset.id', id).first();
		return row && fromRow(row);
	};
	return {
		create: preset =>
			database.run(async sql => {
				const [{id}] = await sql('plugin_presets')
					.insert({
						organisation_id: preset.organisationId,
						plugin_version_id: preset.pluginVersionId,
						name: preset.name,
						description: preset.description,
						properties: JSON.stringify(preset.properties),
						creation_ts: Date.now(),
					})
					.returning('id');
				return (await find(sql, id))!;
			}),
		find: id => database.run(sql => find(sql, id)),
		list: ({organisationIds, pluginType, pluginVersionId, archived, keywords}, paging) =>
			database.run(sql => {
				const query = select(sql)
					.whereIn('preset.organisation_id', [...organisationIds])
					.where('preset.archived', archived);
				if (pluginType !== undefined) query.where('plugin.plugin_type', pluginType);
				if (pluginVersionId !== undefined) query.where('preset.plugin_version_id', pluginVersionId);
				containing(query, 'preset.name', keywords);
				return selectPage(query, 'preset.id', paging, fromRow);
			}),
		update: (id, change) =>
			database.run(async sql => {
				if (Object.keys(change).length > 0) await sql('plugin_presets').where({id}).update(change);
				return find(sql, id);
			}),
	};
}
