import type {PluginType} from '../../src/plugins/catalogue/plugins.ts';
import {data, makePlugin, type TestPlugin} from './plugins.ts';
import type {Client} from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: as answers are.
type Json = any;

export interface TestEmails {
	readonly renderer: TestPlugin;
	readonly router: TestPlugin;
	/** The email template and the email router's instance. */
	readonly template: Json;
	readonly routerId: string;
	/** As `PUT .../worker` answered. */
	readonly rendererWorker: Json;
	readonly routerWorker: Json;
	/** `/v1/email_templates/:id/send_test`. */
	readonly path: string;
}

/** A template and an email router of an organisation, with their plugin workers at these addresses. */
export async function makeEmails(
	client: Client,
	organisationId: string,
	at: {readonly renderer?: string; readonly router?: string},
): Promise<TestEmails> {
	const made = async (type: PluginType, url: string | undefined) => {
		const plugin = await makePlugin(client, organisationId, type);
		const worker = url && data(await client.request('PUT', `${plugin.path}/worker`, {url}));
		return {plugin, worker};
	};
	const {plugin: renderer, worker: rendererWorker} = await made('EMAIL_TEMPLATE_RENDERER', at.renderer);
	const {plugin: router, worker: routerWorker} = await made('EMAIL_ROUTER', at.router);
	const template = data(
		await client.post('/v1/email_templates', {
			name: 'welcome',
			organisation_id: organisationId,
			renderer_version_id: renderer.version.id,
		}),
	);
	const {id: routerId} = data(
		await client.post('/v1/email_routers', {
			name: 'a provider',
			organisation_id: organisationId,
			version_id: router.version.id,
		}),
	);
	const path = `/v1/email_templates/${template.id}/send_test`;
	return {renderer, router, template, routerId, rendererWorker, routerWorker, path};
}
