import type {Knex} from 'knex';
import {invalidField} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {violatedConstraint} from '../../postgres/errors.ts';
import {containing, selectPage} from '../../postgres/page.ts';
import type {Plugin, PluginType} from './plugins.ts';

export type NewPlugin = Pick<Plugin, 'organisationId' | 'pluginType' | 'groupId' | 'artifactId'>;
export type PluginChange = Partial<Pick<Plugin, 'currentVersionId' | 'archived'>>;

export interface PluginQuery {
	/** Of these organisations and no others. */
	readonly organisationIds: readonly number[];
	readonly pluginType?: PluginType | undefined;
	readonly groupId?: string | undefined;
	readonly artifactId?: string | undefined;
	readonly archived?: boolean | undefined;
	/** In the artifact id. */
	readonly keywords?: string | undefined;
}

export interface PluginStore {
	/** Error: `plugin_taken` where the organisation has one of this group and artifact. */
	create(plugin: NewPlugin): Promise<Plugin>;
	find(id: number): Promise<Plugin | undefined>;
	findByVersion(versionId: number): Promise<Plugin | undefined>;
	list(query: PluginQuery, paging: Paging): Promise<Page<Plugin>>;
	/** Undefined when there is no such plugin. */
	update(id: number, change: PluginChange): Promise<Plugin | undefined>;
}

interface Row {
	id: number;
	organisation_id: number;
	plugin_type: PluginType;
	group_id: string;
	artifact_id: string;
	current_version_id: number | null;
	archived: boolean;
	creation_ts: number;
}

function fromRow(row: Row): Plugin {
	return {
		id: row.id,
		organisationId: row.organisation_id,
		pluginType: row.plugin_type,
		groupId: row.group_id,
		artifactId: row.artifact_id,
		currentVersionId: row.current_version_id,
		archived: row.archived,
		creationTs: row.creation_ts,
	};
}

export function pluginStore(database: Database): PluginStore {
	const find = async (sql: Knex, id: number) => {
		const row: Row | undefined = await sql('plugins').where('id', id).first();
		return row && fromRow(row);
	};
	return {
		async create(plugin) {
			try {
				const rows: Row[] = await database.run(sql =>
					sql('plugins')
						.insert({
							organisation_id: plugin.organisationId,
							plugin_type: plugin.pluginType,
							group_id: plugin.groupId,
							artifact_id: plugin.artifactId,
							creation_ts: Date.now(),
						})
						.returning('*'),
				);
				return fromRow(rows[0]!);
			} catch (error) {
				if (violatedConstraint(error) !== 'plugins_name') throw error;
				throw invalidField('/artifact_id', 'is a plugin of this group already', 'plugin_taken');
			}
		},
		find: id => database.run(sql => find(sql, id)),
		async findByVersion(versionId) {
			const row: Row | undefined = await database.run(sql =>
				sql('plugins')
					.select('plugins.*')
					.join('plugin_versions as version', 'version.plugin_id', 'plugins.id')
					.where('version.id', versionId)
					.first(),
			);
			return row && fromRow(row);
		},
		list: ({organisationIds, pluginType, groupId, artifactId, archived, keywords}, paging) =>
			database.run(sql => {
				const query = sql('plugins')
					.select('*')
					.whereIn('organisation_id', [...organisationIds]);
				if (pluginType !== undefined) query.where('plugin_type', pluginType);
				if (groupId !== undefined) query.where('group_id', groupId);
				if (artifactId !== undefined) query.where('artifact_id', artifactId);
				if (archived !== undefined) query.where('archived', archived);
				containing(query, 'artifact_id', keywords);
				return selectPage(query, 'id', paging, fromRow);
			}),
		update: (id, {currentVersionId, archived}) =>
			database.run(async sql => {
				const values = {
					...(currentVersionId !== undefined && {current_version_id: currentVersionId}),
					...(archived !== undefined && {archived}),
				};
				if (Object.keys(values).length > 0) await sql('plugins').where('id', id).update(values);
				return find(sql, id);
			}),
	};
}
