import {invalidField, notFound} from '../../errors.ts';
import type {Action} from '../../identity/policy.ts';
import type {Page, Paging} from '../../lib/page.ts';
import {
	assertOrganisation,
	assertServed,
	type InstanceContext,
	type InstanceRequest,
	type PluginInstance,
	readableOrganisations,
} from '../instances/instances.ts';
import {versionFor} from '../instances/version-for.ts';
import type {EmailTemplateChange, EmailTemplateQuery, EmailTemplateStore} from './email-templates.store.ts';

/** A mail to be sent: what renders it is an instance of its own, and either id names the template. */
export interface EmailTemplate {
	readonly id: number;
	readonly organisationId: number;
	readonly name: string;
	readonly technicalName: string | null;
	readonly subtype: string | null;
	readonly archived: boolean;
	/** Of the page that people write it in; Millrace has none of its own. */
	readonly editorGroupId: string | null;
	readonly editorArtifactId: string | null;
	readonly presetId: number | null;
	readonly creationTs: number;
	readonly renderer: Pick<
		PluginInstance,
		'id' | 'organisationId' | 'pluginId' | 'pluginVersionId' | 'versionValue' | 'groupId' | 'artifactId'
	>;
}

export interface EmailTemplateServices {
	readonly templates: EmailTemplateStore;
}

export type EmailTemplateContext = InstanceContext & EmailTemplateServices;

export interface EmailTemplateRequest extends InstanceRequest {
	readonly technicalName: string | null;
	readonly subtype: string | null;
	readonly editorGroupId: string | null;
	readonly editorArtifactId: string | null;
}

const RENDERER = 'EMAIL_TEMPLATE_RENDERER';

/** Of one organisation, or of all the caller may see. Error: `organisation_not_found`. */
export function listEmailTemplates(
	context: EmailTemplateContext,
	{
		organisationId,
		...query
	}: Omit<EmailTemplateQuery, 'organisationIds'> & {organisationId: number | undefined},
	paging: Paging,
): Promise<Page<EmailTemplate>> {
	const organisationIds = readableOrganisations(context, organisationId);
	return context.templates.list({...query, organisationIds}, paging);
}

/** With its renderer instance. Errors: `field_invalid`, `role_insufficient`. */
export async function createEmailTemplate(
	context: EmailTemplateContext,
	request: EmailTemplateRequest,
): Promise<EmailTemplate> {
	const organisationId = assertOrganisation(context, request.organisationId);
	const {version, overrides} = await versionFor(context, RENDERER, organisationId, request);
	return context.templates.create({
		name: request.name,
		technicalName: request.technicalName,
		subtype: request.subtype,
		editorGroupId: request.editorGroupId,
		editorArtifactId: request.editorArtifactId,
		renderer: {
			organisationId,
			pluginType: RENDERER,
			pluginId: version.pluginId,
			pluginVersionId: version.id,
			name: request.name,
			errorRecoveryStrategy: null,
			presetId: request.presetId ?? null,
			overrides,
		},
	});
}

/** By its own id or its renderer instance's. Errors: `email_template_not_found`, `role_insufficient`. */
export async function getEmailTemplate(
	context: EmailTemplateContext,
	action: Action,
	id: number | undefined,
): Promise<EmailTemplate> {
	const template = id === undefined ? undefined : await context.templates.find(id);
	if (!template) throw notFound('email_template_not_found');
	assertServed(context, action, template.renderer, 'email_template_not_found');
	return template;
}

/** Another version of the renderer must be of the same plugin. Errors as of `getEmailTemplate`, `field_invalid`. */
export async function changeEmailTemplate(
	context: EmailTemplateContext,
	id: number | undefined,
	change: EmailTemplateChange,
): Promise<EmailTemplate> {
	const {id: templateId, renderer} = await getEmailTemplate(context, 'plugin_instances:write', id);
	const {rendererVersionId} = change;
	if (rendererVersionId !== undefined && rendererVersionId !== renderer.pluginVersionId) {
		const version = await context.versions.find(rendererVersionId);
		if (version?.pluginId !== renderer.pluginId) {
			throw invalidField('/renderer_version_id', 'is no version of the plugin of this template');
		}
	}
	const changed = await context.templates.update(templateId, change);
	if (!changed) throw notFound('email_template_not_found');
	return changed;
}
