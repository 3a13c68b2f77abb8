import {createHash} from 'node:crypto';
import {DomainError} from '../../errors.ts';
import type {EmailTemplate} from '../email-templates/email-templates.ts';
import type {PluginInstance} from '../instances/instances.ts';
import type {CallWorker} from '../worker-client/worker-client.ts';
import {WorkerError} from '../worker-client/worker-error.ts';
import type {WorkerStore} from '../workers/workers.store.ts';
import {type RendererAnswer, readRendererAnswer, readRouterAnswer} from './emails.schema.ts';

/** What an email is for. For STAGE and PREVIEW a renderer reads its template anew each time (field guide, section 2). */
export const EMAIL_CONTEXTS = ['LIVE', 'STAGE', 'PREVIEW'] as const;
export type EmailContext = (typeof EMAIL_CONTEXTS)[number];

/** As plugin workers get them, always in a list. Instants are epoch milliseconds. */
export interface EmailIdentifier {
	readonly type: 'USER_EMAIL';
	readonly hash: string;
	readonly email: string;
	readonly creation_ts: number;
	readonly last_activity_ts: number;
	readonly providers: readonly unknown[];
}

/** One email to one person. Ids are texts, empty where there is no such thing. */
export interface Email {
	/** The same in all calls for this email. */
	readonly callId: string;
	readonly context: EmailContext;
	readonly template: Pick<EmailTemplate, 'id' | 'renderer'>;
	readonly router: EmailPlugin;
	readonly datamartId: string;
	readonly campaignId: string;
	readonly campaignTechnicalName: string;
	readonly blastId: string;
	/** Whom it goes to, unless the renderer says otherwise. */
	readonly recipient: string;
	readonly userIdentifiers: readonly EmailIdentifier[];
	/** What is known of the person: free. */
	readonly userDataBag: Readonly<Record<string, unknown>>;
	/** Prefixes that links are to be led through, see `clickUrl`. */
	readonly clickUrls: readonly string[];
	readonly trackingUrl: string;
}

/** The instance of a plugin that is called for an email. */
export type EmailPlugin = Pick<
	PluginInstance,
	'id' | 'pluginVersionId' | 'groupId' | 'artifactId' | 'versionValue'
>;

export interface EmailServices {
	readonly workers: Pick<WorkerStore, 'find'>;
	readonly callWorker: CallWorker;
}

/** What a router may say no at. */
export type EmailRefusal = 'email_router_check' | 'email_routing';
type EmailStep = EmailRefusal | 'email_contents';

/** Of an address that was typed in. The hash is the SHA-256 of it in lower case, in hex. */
export function identifierOfAddress(email: string, nowMs: number): EmailIdentifier {
	const hash = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
	return {type: 'USER_EMAIL', hash, email, creation_ts: nowMs, last_activity_ts: nowMs, providers: []};
}

/**
 * Asks the router whether it can write to the person, has the renderer write the email, and the router send it. Answers
 * which step said no; undefined: sent. Error: `plugin_worker_failed`, which names the plugin and the step. `signal` gives
 * up until the email is with its router, which is not asked twice to send it.
 */
export async function sendEmail(
	services: EmailServices,
	email: Email,
	signal?: AbortSignal,
): Promise<EmailRefusal | undefined> {
	const {router, template} = email;
	const ask = asking(services);
	const check = {email_router_id: String(router.id), user_identifiers: email.userIdentifiers};
	const checked = await ask('email_router_check', router, check, readRouterAnswer, signal);
	if (!checked) return 'email_router_check';
	const rendered = await ask(
		'email_contents',
		template.renderer,
		toRender(email),
		readRendererAnswer,
		signal,
	);
	const routed = await ask('email_routing', router, toRoute(email, rendered), readRouterAnswer);
	return routed ? undefined : 'email_routing';
}

/** The fields of the specification and those the published SDK reads, together (field guide, 0.4). */
function toRender(email: Email): object {
	return {
		email_renderer_id: String(email.template.renderer.id),
		call_id: email.callId,
		context: email.context,
		creative_id: String(email.template.id),
		campaign_id: email.campaignId,
		campaign_technical_name: email.campaignTechnicalName,
		user_identifiers: email.userIdentifiers,
		user_data_bag: email.userDataBag,
		click_urls: email.clickUrls,
		email_tracking_url: email.trackingUrl,
		meta: {
			from_email: '',
			from_name: '',
			to_email: email.recipient,
			to_name: '',
			reply_to: '',
			subject_line: '',
		},
		content: {html: '', text: ''},
		data: {},
	};
}

function toRoute(email: Email, {meta, content, data}: RendererAnswer): object {
	const told = Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== null));
	return {
		email_router_id: String(email.router.id),
		call_id: email.callId,
		context: email.context,
		creative_id: String(email.template.id),
		campaign_id: email.campaignId,
		blast_id: email.blastId,
		datamart_id: email.datamartId,
		user_identifiers: email.userIdentifiers,
		meta: {...told, to_email: meta.to_email || email.recipient},
		content: {...content, html: content.html ?? '', text: content.text ?? ''},
		data,
	};
}

function asking({workers, callWorker}: EmailServices) {
	return async <Answer>(
		step: EmailStep,
		plugin: EmailPlugin,
		body: object,
		read: (answer: unknown) => Answer,
		signal?: AbortSignal,
	): Promise<Answer> => {
		try {
			const worker = await workers.find(plugin.pluginVersionId);
			if (!worker) throw new WorkerError('missing');
			const answer = await callWorker({
				worker,
				path: `/v1/${step}`,
				body,
				signal,
				isOnce: step === 'email_routing',
			});
			return read(answer.json());
		} catch (error) {
			if (!(error instanceof WorkerError)) throw error;
			const kind = step === 'email_contents' ? 'email renderer' : 'email router';
			const name = `${plugin.groupId}/${plugin.artifactId} ${plugin.versionValue}`;
			const message = `${step} of the ${kind} ${plugin.id} (${name}): ${error.message}`;
			throw new DomainError('plugin_worker_failed', message, {cause: error});
		}
	};
}
