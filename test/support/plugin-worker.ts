import {once} from 'node:events';
import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';
import {send} from './analyzer-worker.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever the service said.
type Json = any;

/** What the plugin's own code is given, as the published SDK gives it: the instance and its properties by name. */
export interface InstanceContext {
	readonly instance: Json;
	readonly properties: ReadonlyMap<string, Json>;
}

export interface PluginWorkerOptions {
	/** Where the service is, as `http://host:port`. */
	readonly gateway: string;
	/** Closes every connection until `comeUp`: it cannot start before it has credentials. */
	readonly isDown?: boolean;
	/** The plugin's own code, per kind. */
	readonly analyse?: (activity: Json, context: InstanceContext) => Json;
	readonly render?: (request: Json, context: InstanceContext) => Json;
	readonly route?: (request: Json, context: InstanceContext) => Json;
}

export interface PluginWorkerDouble {
	readonly url: string;
	/** Paths it asked the service for, in order. */
	readonly asked: readonly string[];
	/** What `/v1/init` told it last. */
	readonly told: {readonly worker_id: string; readonly authentication_token: string} | undefined;
	/** Starts it, with credentials in its environment; without them it is an old one, which waits for `/v1/init`. */
	comeUp(credentials?: {readonly worker_id: string; readonly authentication_token: string}): void;
	/** A call of its own to the service, with its credentials. */
	ask(path: string, init?: RequestInit): Promise<Response>;
	close(): Promise<void>;
}

/**
 * A plugin worker as one built on the published SDK behaves towards the service (field guide, section 2): Basic
 * credentials, instance and properties fetched in parallel at an instance's first request and kept, failures not kept,
 * JSON under `text/html`, 500 with a text for whatever goes wrong.
 */
export async function startPluginWorker(options: PluginWorkerOptions): Promise<PluginWorkerDouble> {
	const asked: string[] = [];
	const contexts = new Map<string, Promise<InstanceContext>>();
	let told: PluginWorkerDouble['told'];
	let isDown = options.isDown ?? false;
	let environment: PluginWorkerDouble['told'];
	const credentials = () => {
		const known = environment ?? told;
		return known && `${known.worker_id}:${known.authentication_token}`;
	};

	async function ask(path: string, init: RequestInit = {}): Promise<Response> {
		asked.push(path);
		return fetch(options.gateway + path, {
			...init,
			headers: {
				authorization: `Basic ${Buffer.from(credentials() ?? '').toString('base64')}`,
				accept: 'application/json',
				...init.headers,
			},
		});
	}

	async function json(path: string): Promise<Json> {
		const response = await ask(path);
		const text = await response.text();
		if (!response.ok) throw new Error(`${response.status} ${text}`);
		return JSON.parse(text);
	}

	async function contextOf(
		instancePath: string | undefined,
		propertiesPath: string,
	): Promise<InstanceContext> {
		const [instance, list] = await Promise.all([instancePath && json(instancePath), json(propertiesPath)]);
		const entries = list.data.map((property: Json) => [property.technical_name, property]);
		return {instance: instance?.data, properties: new Map(entries)};
	}

	/** Requests that come together fetch once; a failure is asked for again by the next. */
	function kept(key: string, fetching: () => Promise<InstanceContext>): Promise<InstanceContext> {
		let context = contexts.get(key);
		if (!context) {
			context = fetching();
			contexts.set(key, context);
			context.catch(() => contexts.delete(key));
		}
		return context;
	}

	const works: Readonly<Record<string, (body: Json) => Promise<Json>>> = {
		async '/v1/activity_analysis'(body) {
			const base = `/v1/activity_analyzers/${body.activity_analyzer_id}`;
			const context = await kept(base, () => contextOf(base, `${base}/properties`));
			return {status: 'ok', data: (options.analyse ?? (activity => activity))(body.activity, context)};
		},
		async '/v1/email_contents'(body) {
			const base = `/v1/creatives/${body.creative_id}`;
			const fresh = body.context === 'PREVIEW' || body.context === 'STAGE';
			const query = `?force-reload=${fresh}`;
			const fetching = () => contextOf(base + query, `${base}/renderer_properties${query}`);
			const context = await (fresh ? fetching() : kept(base, fetching));
			return options.render?.(body, context) ?? {meta: {}, content: {html: '', text: ''}, data: {}};
		},
		async '/v1/email_routing'(body) {
			const path = `/v1/email_routers/${body.email_router_id}/properties`;
			const context = await kept(path, () => contextOf(undefined, path));
			return options.route?.(body, context) ?? {result: true};
		},
		async '/v1/email_router_check'(body) {
			return {result: body.user_identifiers.some((identifier: Json) => identifier.type === 'USER_EMAIL')};
		},
	};

	async function work(path: string, body: Json, response: ServerResponse): Promise<void> {
		const run = works[path.split('?')[0] ?? ''];
		if (!run) return send(response, 404, '<html>Cannot POST</html>');
		if (!credentials()) return send(response, 500, {error: 'Plugin not initialized'});
		if (!body || Object.keys(body).length === 0) return send(response, 500, {error: 'Missing request body'});
		try {
			send(response, 200, await run(body));
		} catch (error) {
			send(response, 500, `${(error as Error).message} \n ${(error as Error).stack}`);
		}
	}

	const server = createServer(async (request, response) => {
		if (isDown) return void request.socket.destroy();
		const sent = await text(request);
		const body = sent === '' ? undefined : JSON.parse(sent);
		const {method = '', url: path = ''} = request;
		if (method === 'POST' && path === '/v1/init') {
			told = body;
			response.end();
		} else if (method === 'GET' && path === '/v1/status') {
			response.writeHead(credentials() ? 200 : 503).end();
		} else {
			await work(path, body, response);
		}
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		asked,
		get told() {
			return told;
		},
		comeUp(given) {
			environment = given;
			isDown = false;
		},
		ask,
		async close() {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}
