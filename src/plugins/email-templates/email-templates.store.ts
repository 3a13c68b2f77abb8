import type {Knex} from 'knex';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {containing, selectPage} from '../../postgres/page.ts';
import {insertInstance, type NewInstance} from '../instances/instances.store.ts';
import type {EmailTemplate} from './email-templates.ts';

export type NewEmailTemplate = Pick<
	EmailTemplate,
	'name' | 'technicalName' | 'subtype' | 'editorGroupId' | 'editorArtifactId'
> & {readonly renderer: NewInstance};

export interface EmailTemplateChange {
	readonly name?: string | undefined;
	readonly technicalName?: string | null | undefined;
	readonly subtype?: string | null | undefined;
	readonly archived?: boolean | undefined;
	/** Of the renderer's plugin. */
	readonly rendererVersionId?: number | undefined;
}

export interface EmailTemplateQuery {
	readonly organisationIds: readonly number[];
	readonly archived?: boolean | undefined;
	/** In the name. */
	readonly keywords?: string | undefined;
}

export interface EmailTemplateStore {
	/** The template and the renderer instance behind it. */
	create(template: NewEmailTemplate): Promise<EmailTemplate>;
	/** By its own id or by that of its renderer instance: the two share a sequence. */
	find(id: number): Promise<EmailTemplate | undefined>;
	list(query: EmailTemplateQuery, paging: Paging): Promise<Page<EmailTemplate>>;
	/** By its own id; undefined when there is no such template. */
	update(id: number, change: EmailTemplateChange): Promise<EmailTemplate | undefined>;
}

interface Row {
	id: number;
	renderer_id: number;
	organisation_id: number;
	name: string;
	technical_name: string | null;
	subtype: string | null;
	editor_group_id: string | null;
	editor_artifact_id: string | null;
	archived: boolean;
	creation_ts: number;
	preset_id: number | null;
	plugin_id: number;
	plugin_version_id: number;
	version_value: string;
	group_id: string;
	artifact_id: string;
}

function fromRow(row: Row): EmailTemplate {
	return {
		id: row.id,
		organisationId: row.organisation_id,
		name: row.name,
		technicalName: row.technical_name,
		subtype: row.subtype,
		archived: row.archived,
		editorGroupId: row.editor_group_id,
		editorArtifactId: row.editor_artifact_id,
		presetId: row.preset_id,
		creationTs: row.creation_ts,
		renderer: {
			id: row.renderer_id,
			organisationId: row.organisation_id,
			pluginId: row.plugin_id,
			pluginVersionId: row.plugin_version_id,
			versionValue: row.version_value,
			groupId: row.group_id,
			artifactId: row.artifact_id,
		},
	};
}

function select(sql: Knex): Knex.QueryBuilder {
	return sql('email_templates as template')
		.join('plugin_instances as renderer', 'renderer.id', 'template.renderer_id')
		.join('plugin_versions as version', 'version.id', 'renderer.plugin_version_id')
		.join('plugins as plugin', 'plugin.id', 'renderer.plugin_id')
		.select(
			...['template.*', 'renderer.plugin_id', 'renderer.plugin_version_id', 'renderer.preset_id'],
			...['version.version_value', 'plugin.group_id', 'plugin.artifact_id'],
		);
}

export function emailTemplateStore(database: Database): EmailTemplateStore {
	const find = async (sql: Knex, id: number): Promise<EmailTemplate | undefined> => {
		const row: Row | undefined = await select(sql)
			.where('template.id', id)
			.orWhere('template.renderer_id', id)
			.first();
		return row && fromRow(row);
	};
	return {
		create: ({renderer, ...template}) =>
			database.transaction(async tx => {
				const [{id}] = await tx('email_templates')
					.insert({
						renderer_id: await insertInstance(tx, renderer),
						organisation_id: renderer.organisationId,
						name: template.name,
						technical_name: template.technicalName,
						subtype: template.subtype,
						editor_group_id: template.editorGroupId,
						editor_artifact_id: template.editorArtifactId,
						creation_ts: Date.now(),
					})
					.returning('id');
				return (await find(tx, id))!;
			}),
		find: id => database.run(sql => find(sql, id)),
		list: ({organisationIds, archived, keywords}, paging) =>
			database.run(sql => {
				const query = select(sql).whereIn('template.organisation_id', [...organisationIds]);
				if (archived !== undefined) query.where('template.archived', archived);
				containing(query, 'template.name', keywords);
				return selectPage(query, 'template.id', paging, fromRow);
			}),
		update: (id, {name, technicalName, subtype, archived, rendererVersionId}) =>
			database.transaction(async tx => {
				const values = {
					...(name !== undefined && {name}),
					...(technicalName !== undefined && {technical_name: technicalName}),
					...(subtype !== undefined && {subtype}),
					...(archived !== undefined && {archived}),
				};
				if (Object.keys(values).length > 0) await tx('email_templates').where('id', id).update(values);
				if (rendererVersionId !== undefined) {
					await tx('plugin_instances')
						.whereIn('id', tx('email_templates').select('renderer_id').where('id', id))
						.update({plugin_version_id: rendererVersionId});
				}
				return find(tx, id);
			}),
	};
}
