import {z} from 'zod';
import {absentWhenNull, IdField} from '../../tenants/fields.schema.ts';
import {isClickPrefix} from './click-urls.ts';
import type {EmailTest, EmailTestRequest} from './email-tests.ts';
import {EMAIL_CONTEXTS} from './emails.ts';

const Context = z.enum(EMAIL_CONTEXTS);

const Address = z
	.string()
	.trim()
	.max(320)
	.regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address');

const WebAddress = z
	.string()
	.max(2048)
	.refine(text => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be a web address');

const ClickPrefix = z.string().max(2048).refine(isClickPrefix, 'must be the beginning of a web address');

/** Of what Millrace keeps no records of: a text or a number, a text to plugin workers. */
const ForeignId = absentWhenNull(z.union([z.string().max(255), z.number().int()]));

/**
 * Body of `POST /v1/email_templates/:id/send_test` (field guide, "Emails"; decisions.md, Plugins). What else a renderer
 * is told of an email may be given too.
 */
export const EmailTestBody = z
	.object({
		organisation_id: absentWhenNull(IdField),
		email: Address,
		email_router_id: absentWhenNull(IdField),
		context: absentWhenNull(Context),
		datamart_id: absentWhenNull(IdField),
		campaign_id: ForeignId,
		campaign_technical_name: absentWhenNull(z.string().max(255)),
		blast_id: ForeignId,
		user_data_bag: absentWhenNull(z.record(z.string(), z.unknown())),
		click_urls: absentWhenNull(z.array(ClickPrefix).max(10)),
		email_tracking_url: absentWhenNull(WebAddress),
	})
	.transform(
		(body): EmailTestRequest => ({
			organisationId: body.organisation_id,
			// Not `email`: the audit trail keeps fields of that name.
			recipient: body.email,
			routerId: body.email_router_id,
			context: body.context ?? 'STAGE',
			datamartId: body.datamart_id,
			campaignId: String(body.campaign_id ?? ''),
			campaignTechnicalName: body.campaign_technical_name ?? '',
			blastId: String(body.blast_id ?? ''),
			userDataBag: body.user_data_bag ?? {},
			clickUrls: body.click_urls ?? [],
			trackingUrl: body.email_tracking_url ?? '',
		}),
	);

/** `result` as routers say it: whether the email was sent. */
export const EmailTestOnWire = z.object({
	call_id: z.string(),
	result: z.boolean(),
	refused_by: z.enum(['email_router_check', 'email_routing']).nullable(),
	context: Context,
	organisation_id: z.string(),
	email_template_id: z.string(),
	email_renderer_id: z.string(),
	email_router_id: z.string(),
	datamart_id: z.string().nullable(),
});

export function emailTestToWire(test: EmailTest): z.output<typeof EmailTestOnWire> {
	const {email, refusedBy} = test;
	return {
		call_id: email.callId,
		result: refusedBy === undefined,
		refused_by: refusedBy ?? null,
		context: email.context,
		organisation_id: String(test.organisationId),
		email_template_id: String(email.template.id),
		email_renderer_id: String(email.template.renderer.id),
		email_router_id: String(email.router.id),
		datamart_id: email.datamartId || null,
	};
}
