import {ok} from '../../http/envelope.ts';
import {type Route, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import type {CatalogueServices} from '../catalogue/plugins.ts';
import type {EmailTemplateServices} from '../email-templates/email-templates.ts';
import type {InstanceServices} from '../instances/instances.ts';
import {EmailTestBody, EmailTestOnWire, emailTestToWire} from './email-tests.schema.ts';
import {sendTest} from './email-tests.ts';
import type {EmailServices} from './emails.ts';

type Services = CatalogueServices & InstanceServices & EmailTemplateServices & EmailServices;

/** Emails that are sent to see what comes of a template. */
export function emailTestRoutes(services: Services): Route[] {
	return [
		route({
			method: 'POST',
			path: '/v1/email_templates/:emailTemplateId/send_test',
			summary: 'Send an email template to an address, through its renderer and an email router',
			action: 'emails:send',
			audit: 'email_test_sent',
			body: EmailTestBody,
			answer: EmailTestOnWire,
			errors: ['email_template_not_found', 'email_template_archived', 'plugin_worker_failed'],
			async handle({principal, params, body, signal, trail}) {
				const templateId = parseId(params.emailTemplateId ?? '');
				const sent = await sendTest({...services, principal}, templateId, body, signal);
				const answer = emailTestToWire(sent);
				const {email_router_id, context, call_id, result} = answer;
				trail.organisationId = sent.organisationId;
				trail.resourceId = sent.email.template.id;
				trail.details = {email_router_id, context, call_id, result};
				return ok(answer);
			},
		}),
	];
}
