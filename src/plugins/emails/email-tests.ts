import {randomUUID} from 'node:crypto';
import {DomainError, invalidField} from '../../errors.ts';
import {mayAct} from '../../identity/policy.ts';
import {organisationAndAbove} from '../catalogue/plugins.ts';
import {type EmailTemplateContext, getEmailTemplate} from '../email-templates/email-templates.ts';
import type {PluginInstance} from '../instances/instances.ts';
import {type Email, type EmailRefusal, type EmailServices, identifierOfAddress, sendEmail} from './emails.ts';

export type EmailTestContext = EmailTemplateContext & EmailServices;

/** An email to an address that was typed in, to see what comes of a template. */
export interface EmailTestRequest
	extends Pick<
		Email,
		| ('recipient' | 'context' | 'userDataBag' | 'clickUrls' | 'trackingUrl')
		| ('campaignId' | 'campaignTechnicalName' | 'blastId')
	> {
	/** The template's, or one below it; the template's own where absent. */
	readonly organisationId: number | undefined;
	/** Of the organisation or of one above it; its only one where absent. */
	readonly routerId: number | undefined;
	/** Where the router tells of bounces; the organisation's first one where absent. */
	readonly datamartId: number | undefined;
}

export interface EmailTest {
	readonly email: Email;
	readonly organisationId: number;
	/** Which step said no; undefined: the email was sent. */
	readonly refusedBy: EmailRefusal | undefined;
}

/** Errors as of `getEmailTemplate`, `email_template_archived`, `field_invalid`, `plugin_worker_failed`. */
export async function sendTest(
	context: EmailTestContext,
	templateId: number | undefined,
	request: EmailTestRequest,
	signal?: AbortSignal,
): Promise<EmailTest> {
	const template = await getEmailTemplate(context, 'emails:send', templateId);
	if (template.archived) throw new DomainError('email_template_archived', 'This email template is archived');
	const organisationId = request.organisationId ?? template.organisationId;
	// A role for the template's organisation is one for those below it.
	if (!context.directory.isWithin(organisationId, template.organisationId)) {
		throw invalidField('/organisation_id', 'is not the organisation of this template, nor below it');
	}
	const router = await routerFor(context, organisationId, request.routerId);
	const {recipient, organisationId: _, routerId: __, datamartId, ...rest} = request;
	const email: Email = {
		...rest,
		callId: randomUUID(),
		template,
		router,
		datamartId: datamartFor(context, organisationId, datamartId),
		recipient,
		userIdentifiers: [identifierOfAddress(recipient, Date.now())],
	};
	return {email, organisationId, refusedBy: await sendEmail(context, email, signal)};
}

async function routerFor(
	{instances, directory}: EmailTestContext,
	organisationId: number,
	id: number | undefined,
): Promise<PluginInstance> {
	const pluginType = 'EMAIL_ROUTER';
	if (id === undefined) {
		const asked = {organisationIds: [organisationId], pluginType} as const;
		const {items, total} = await instances.list(asked, {firstResult: 0, maxResults: 1});
		const [only] = items;
		if (only && total === 1) return only;
		throw invalidField('/email_router_id', `is missing: the organisation has ${total} email routers`);
	}
	const router = await instances.find({id, pluginType});
	const isTheirs = router && organisationAndAbove(directory, organisationId).includes(router.organisationId);
	if (!isTheirs) throw invalidField('/email_router_id', 'is no email router of the organisation');
	return router;
}

function datamartFor(
	{principal, directory}: EmailTestContext,
	organisationId: number,
	id: number | undefined,
): string {
	if (id === undefined) {
		const first = directory.datamartsOf(organisationId).find(({archived}) => !archived);
		return first ? String(first.id) : '';
	}
	const datamart = directory.datamart(id);
	if (!datamart || !mayAct(principal, 'emails:send', datamart.organisationId, directory)) {
		throw invalidField('/datamart_id', 'is no datamart');
	}
	return String(datamart.id);
}
