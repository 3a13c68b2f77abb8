import {data, makeAnalyzer, makePlugin} from '../../support/plugins.ts';
import type {Client} from '../../support/service.ts';

/** Nobody listens there. */
const ADDRESS = {url: 'http://127.0.0.1:9'};

/** Records of the catalogue for the matrix; what a call removes is made for it. */
export async function catalogueOf(client: Client, organisationId: string) {
	const analyzers = await makePlugin(client, organisationId);
	const routers = await makePlugin(client, organisationId, 'EMAIL_ROUTER');
	const renderers = await makePlugin(client, organisationId, 'EMAIL_TEMPLATE_RENDERER');
	const newAnalyzer = async () => (await makeAnalyzer(client, analyzers)).id as string;
	const newRouter = async () => {
		const body = {name: 'matrix', organisation_id: organisationId, version_id: routers.version.id};
		return data(await client.post('/v1/email_routers', body)).id as string;
	};
	const template = data(
		await client.post('/v1/email_templates', {
			name: 'matrix',
			organisation_id: organisationId,
			renderer_version_id: renderers.version.id,
		}),
	);
	const [analyzer, router] = [await newAnalyzer(), await newRouter()];
	return {
		pluginId: analyzers.plugin.id as string,
		versionId: analyzers.version.id as string,
		emailTemplateId: template.id as string,
		analyzer: (method: string) => (method === 'DELETE' ? newAnalyzer() : analyzer),
		emailRouter: (method: string) => (method === 'DELETE' ? newRouter() : router),
	};
}

/** Basic credentials of a plugin worker of the organisation, which has an instance of its plugin or none. */
export async function workerOf(client: Client, organisationId: string, isUsed = true): Promise<string> {
	const made = await makePlugin(client, organisationId);
	const {path} = made;
	if (isUsed) await makeAnalyzer(client, made);
	const {worker_id: id, authentication_token: token} = data(
		await client.request('PUT', `${path}/worker`, ADDRESS),
	);
	return encoded(id, token);
}

/** Good ones, former ones of a worker whose token was renewed after it was used, and a known id with a wrong token. */
export async function workersOf(client: Client, organisationId: string) {
	const made = await makePlugin(client, organisationId);
	const {path} = made;
	await makeAnalyzer(client, made);
	const {worker_id: id, authentication_token: token} = data(
		await client.request('PUT', `${path}/worker`, ADDRESS),
	);
	const revokedWorker = encoded(id, token);
	await client.get('/v1/configuration/technical_name=a', {authorization: `Basic ${revokedWorker}`});
	const renewed = data(await client.post(`${path}/worker/rotation`, {}));
	return {
		revokedWorker,
		worker: encoded(id, renewed.authentication_token),
		wrongWorker: encoded(id, `${renewed.authentication_token}x`),
	};
}

function encoded(id: string, token: string): string {
	return Buffer.from(`${id}:${token}`).toString('base64');
}
