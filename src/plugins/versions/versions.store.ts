import type {Knex} from 'knex';
import {invalidField} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {violatedConstraint} from '../../postgres/errors.ts';
import {selectPage} from '../../postgres/page.ts';
import type {PluginType} from '../catalogue/plugins.ts';
import type {PluginProperty, PropertyOrigin, PropertyValue} from '../properties/properties.ts';
import type {PluginVersion} from './versions.ts';

export type NewVersion = Pick<
	PluginVersion,
	'pluginId' | 'versionValue' | 'maintainerId' | 'buildTag' | 'imageName' | 'maxQps'
> & {readonly properties: readonly PluginProperty[]};

export type VersionChange = Partial<
	Pick<PluginVersion, 'maintainerId' | 'buildTag' | 'imageName' | 'maxQps' | 'archived'>
>;

export interface VersionQuery {
	readonly pluginId: number;
	readonly archived?: boolean | undefined;
}

export interface VersionStore {
	/** It becomes the plugin's current one. Error: `version_id_taken`. */
	create(version: NewVersion): Promise<PluginVersion>;
	find(id: number): Promise<PluginVersion | undefined>;
	findByValue(pluginId: number, versionValue: string): Promise<PluginVersion | undefined>;
	list(query: VersionQuery, paging: Paging): Promise<Page<PluginVersion>>;
	/** Undefined when there is no such version. */
	update(id: number, change: VersionChange): Promise<PluginVersion | undefined>;
	/** In the order they were given. */
	propertiesOf(id: number): Promise<readonly PluginProperty[]>;
}

interface Row {
	id: number;
	plugin_id: number;
	organisation_id: number;
	plugin_type: PluginType;
	group_id: string;
	artifact_id: string;
	version_value: string;
	maintainer_id: number | null;
	build_tag: string | null;
	image_name: string | null;
	max_qps: number | null;
	archived: boolean;
	creation_ts: number;
	has_worker: boolean;
}

interface PropertyRow {
	technical_name: string;
	property_type: string;
	value: PropertyValue;
	origin: PropertyOrigin;
	writable: boolean;
	deletable: boolean;
}

function fromRow(row: Row): PluginVersion {
	return {
		id: row.id,
		pluginId: row.plugin_id,
		organisationId: row.organisation_id,
		pluginType: row.plugin_type,
		groupId: row.group_id,
		artifactId: row.artifact_id,
		versionValue: row.version_value,
		maintainerId: row.maintainer_id,
		buildTag: row.build_tag,
		imageName: row.image_name,
		maxQps: row.max_qps,
		archived: row.archived,
		creationTs: row.creation_ts,
		hasWorker: row.has_worker,
	};
}

function toRow(values: VersionChange): object {
	return {
		...(values.maintainerId !== undefined && {maintainer_id: values.maintainerId}),
		...(values.buildTag !== undefined && {build_tag: values.buildTag}),
		...(values.imageName !== undefined && {image_name: values.imageName}),
		...(values.maxQps !== undefined && {max_qps: values.maxQps}),
		...(values.archived !== undefined && {archived: values.archived}),
	};
}

function select(sql: Knex): Knex.QueryBuilder {
	return sql('plugin_versions as version')
		.join('plugins as plugin', 'plugin.id', 'version.plugin_id')
		.leftJoin('plugin_workers as worker', 'worker.plugin_version_id', 'version.id')
		.select(
			...['version.*', 'plugin.organisation_id', 'plugin.plugin_type', 'plugin.group_id'],
			...['plugin.artifact_id', sql.raw('worker.plugin_version_id is not null as has_worker')],
		);
}

export function versionStore(database: Database): VersionStore {
	const first = async (sql: Knex, where: object): Promise<PluginVersion | undefined> => {
		const row: Row | undefined = await select(sql).where(where).first();
		return row && fromRow(row);
	};
	return {
		async create({pluginId, versionValue, properties, ...values}) {
			try {
				return await database.transaction(async tx => {
					const row = {...toRow(values), plugin_id: pluginId, version_value: versionValue};
					const [{id}] = await tx('plugin_versions')
						.insert({...row, creation_ts: Date.now()})
						.returning('id');
					if (properties.length > 0) {
						await tx('plugin_properties').insert(
							properties.map((property, position) => propertyRow(property, id, position)),
						);
					}
					await tx('plugins').where('id', pluginId).update({current_version_id: id});
					return (await first(tx, {'version.id': id}))!;
				});
			} catch (error) {
				if (violatedConstraint(error) !== 'plugin_versions_name') throw error;
				throw invalidField('/version_id', 'is a version of this plugin already', 'version_id_taken');
			}
		},
		find: id => database.run(sql => first(sql, {'version.id': id})),
		findByValue: (pluginId, versionValue) =>
			database.run(sql => first(sql, {'version.plugin_id': pluginId, 'version.version_value': versionValue})),
		list: ({pluginId, archived}, paging) =>
			database.run(sql => {
				const query = select(sql).where('version.plugin_id', pluginId);
				if (archived !== undefined) query.where('version.archived', archived);
				return selectPage(query, 'version.id', paging, fromRow);
			}),
		update: (id, change) =>
			database.run(async sql => {
				const values = toRow(change);
				if (Object.keys(values).length > 0) await sql('plugin_versions').where('id', id).update(values);
				return first(sql, {'version.id': id});
			}),
		async propertiesOf(id) {
			const rows: PropertyRow[] = await database.run(sql =>
				sql('plugin_properties').where('plugin_version_id', id).orderBy('position'),
			);
			return rows.map(propertyFromRow);
		},
	};
}

function propertyFromRow(row: PropertyRow): PluginProperty {
	return {
		technicalName: row.technical_name,
		propertyType: row.property_type,
		value: row.value,
		origin: row.origin,
		writable: row.writable,
		deletable: row.deletable,
	};
}

function propertyRow(property: PluginProperty, versionId: number, position: number): object {
	return {
		plugin_version_id: versionId,
		position,
		technical_name: property.technicalName,
		property_type: property.propertyType,
		value: JSON.stringify(property.value),
		origin: property.origin,
		writable: property.writable,
		deletable: property.deletable,
	};
}
