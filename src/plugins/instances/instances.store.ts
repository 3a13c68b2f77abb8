import type {Knex} from 'knex';
import {DomainError} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {violatedReference} from '../../postgres/errors.ts';
import {containing, selectPage} from '../../postgres/page.ts';
import type {PluginType} from '../catalogue/plugins.ts';
import type {Override, PropertyAssignment, PropertyValue} from '../properties/properties.ts';
import type {ErrorRecoveryStrategy, PluginInstance} from './instances.ts';

export type NewInstance = Pick<
	PluginInstance,
	| ('organisationId' | 'name' | 'pluginType' | 'pluginId' | 'pluginVersionId')
	| ('errorRecoveryStrategy' | 'presetId')
> & {readonly overrides: readonly Override[]};

export interface InstanceChange {
	readonly name?: string | undefined;
	readonly errorRecoveryStrategy?: ErrorRecoveryStrategy | undefined;
	/** Of the same plugin. */
	readonly pluginVersionId?: number | undefined;
}

export interface InstanceQuery {
	readonly organisationIds: readonly number[];
	readonly pluginType: PluginType;
	readonly keywords?: string | undefined;
}

/** Named by both: an email router's id is no analyzer's. */
export type InstanceKey = Pick<PluginInstance, 'id' | 'pluginType'>;

export interface InstanceStore {
	create(instance: NewInstance): Promise<PluginInstance>;
	find(key: InstanceKey): Promise<PluginInstance | undefined>;
	list(query: InstanceQuery, paging: Paging): Promise<Page<PluginInstance>>;
	/** Undefined when there is no such instance. */
	update(key: InstanceKey, change: InstanceChange): Promise<PluginInstance | undefined>;
	/** Whether there was one. Error: `plugin_instance_in_use` for an analyzer that channels have. */
	remove(key: InstanceKey): Promise<boolean>;
	overridesOf(id: number): Promise<readonly Override[]>;
	/** In place of the one it has; a fixed one stays. */
	override(id: number, assignment: PropertyAssignment): Promise<void>;
	/** Back to the version's value; a fixed one stays. */
	reset(id: number, technicalName: string): Promise<void>;
}

interface Row {
	id: number;
	organisation_id: number;
	name: string;
	plugin_type: PluginType;
	plugin_id: number;
	plugin_version_id: number;
	version_value: string;
	group_id: string;
	artifact_id: string;
	error_recovery_strategy: ErrorRecoveryStrategy | null;
	preset_id: number | null;
	creation_ts: number;
}

interface OverrideRow {
	technical_name: string;
	property_type: string;
	value: PropertyValue;
	fixed: boolean;
}

function fromRow(row: Row): PluginInstance {
	return {
		id: row.id,
		organisationId: row.organisation_id,
		name: row.name,
		pluginType: row.plugin_type,
		pluginId: row.plugin_id,
		pluginVersionId: row.plugin_version_id,
		versionValue: row.version_value,
		groupId: row.group_id,
		artifactId: row.artifact_id,
		errorRecoveryStrategy: row.error_recovery_strategy,
		presetId: row.preset_id,
		creationTs: row.creation_ts,
	};
}

function overrideFromRow(row: OverrideRow): Override {
	return {
		technicalName: row.technical_name,
		propertyType: row.property_type,
		value: row.value,
		fixed: row.fixed,
	};
}

function overrideRow(instanceId: number, {technicalName, propertyType, value}: PropertyAssignment) {
	return {
		instance_id: instanceId,
		technical_name: technicalName,
		property_type: propertyType,
		value: JSON.stringify(value),
	};
}

function select(sql: Knex): Knex.QueryBuilder {
	return sql('plugin_instances as instance')
		.join('plugin_versions as version', 'version.id', 'instance.plugin_version_id')
		.join('plugins as plugin', 'plugin.id', 'instance.plugin_id')
		.select('instance.*', 'version.version_value', 'plugin.group_id', 'plugin.artifact_id');
}

/** For whoever makes something around it in one transaction; answers its id. */
export async function insertInstance(sql: Knex, instance: NewInstance): Promise<number> {
	const [{id}] = await sql('plugin_instances')
		.insert({
			organisation_id: instance.organisationId,
			plugin_id: instance.pluginId,
			plugin_version_id: instance.pluginVersionId,
			plugin_type: instance.pluginType,
			name: instance.name,
			error_recovery_strategy: instance.errorRecoveryStrategy,
			preset_id: instance.presetId,
			creation_ts: Date.now(),
		})
		.returning('id');
	if (instance.overrides.length > 0) {
		await sql('plugin_instance_properties').insert(
			instance.overrides.map(override => ({...overrideRow(id, override), fixed: override.fixed})),
		);
	}
	return id;
}

export function instanceStore(database: Database): InstanceStore {
	const find = async (sql: Knex, {id, pluginType}: InstanceKey): Promise<PluginInstance | undefined> => {
		const row: Row | undefined = await select(sql)
			.where({'instance.id': id, 'instance.plugin_type': pluginType})
			.first();
		return row && fromRow(row);
	};
	return {
		create: instance =>
			database.transaction(async tx => {
				const id = await insertInstance(tx, instance);
				return (await find(tx, {id, pluginType: instance.pluginType}))!;
			}),
		find: key => database.run(sql => find(sql, key)),
		list: ({organisationIds, pluginType, keywords}, paging) =>
			database.run(sql => {
				const query = select(sql)
					.where('instance.plugin_type', pluginType)
					.whereIn('instance.organisation_id', [...organisationIds]);
				containing(query, 'instance.name', keywords);
				return selectPage(query, 'instance.id', paging, fromRow);
			}),
		update: (key, {name, errorRecoveryStrategy, pluginVersionId}) =>
			database.run(async sql => {
				const values = {
					...(name !== undefined && {name}),
					...(errorRecoveryStrategy !== undefined && {error_recovery_strategy: errorRecoveryStrategy}),
					...(pluginVersionId !== undefined && {plugin_version_id: pluginVersionId}),
				};
				if (Object.keys(values).length > 0) {
					await sql('plugin_instances').where({id: key.id, plugin_type: key.pluginType}).update(values);
				}
				return find(sql, key);
			}),
		async remove({id, pluginType}) {
			try {
				const removed = await database.run(sql =>
					sql('plugin_instances').where({id, plugin_type: pluginType}).delete(),
				);
				return removed > 0;
			} catch (error) {
				if (violatedReference(error) !== 'channel_analyzers_instance') throw error;
				throw new DomainError('plugin_instance_in_use', 'Channels have this analyzer: unlink it there first');
			}
		},
		async overridesOf(id) {
			const rows: OverrideRow[] = await database.run(sql =>
				sql('plugin_instance_properties').where('instance_id', id),
			);
			return rows.map(overrideFromRow);
		},
		async override(id, assignment) {
			await database.run(sql =>
				sql('plugin_instance_properties')
					.insert(overrideRow(id, assignment))
					.onConflict(['instance_id', 'technical_name'])
					.merge(['property_type', 'value'])
					.where('plugin_instance_properties.fixed', false),
			);
		},
		async reset(id, technicalName) {
			await database.run(sql =>
				sql('plugin_instance_properties')
					.where({instance_id: id, technical_name: technicalName, fixed: false})
					.delete(),
			);
		},
	};
}
