import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {DestinationStream} from 'pino';
import {createApp} from '../../src/app.ts';
import {readConfig} from '../../src/config.ts';
import {mount} from '../../src/http/mount.ts';
import type {Route} from '../../src/http/route.ts';
import {createLog} from '../../src/operations/log.ts';
import {Metrics} from '../../src/operations/metrics.ts';
import {Readiness} from '../../src/operations/readiness.ts';
import type {Database} from '../../src/postgres/database.ts';
import {createServices, PARTS} from '../../src/services.ts';
import {type Documented, documentedBy} from './documented.ts';
import {enginesFor} from './server-engines.ts';

export const ADMIN = {email: 'admin@example.org', password: 'correct horse battery'};

export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service says, and tests look into it.
	readonly body: any;
}

/** A client of one service: JSON in and out unless told otherwise. */
export interface Client {
	readonly url: string;
	request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
	get(path: string, headers?: Record<string, string>): Promise<Answer>;
	post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface TestService extends Client {
	readonly dataDir: string;
	readonly token: string;
	readonly datamartId: string;
	readonly organisationId: string;
	/** To put things in place that the interface does not make yet. */
	readonly database: Database;
	/** All that it serves. */
	readonly routes: readonly Route[];
	stop(): Promise<void>;
}

/** Services of this process by their address: every answer they give to a client has to be in their document. */
const DOCUMENTED = new Map<string, Documented>();

/** Speaks to a service as a person with this token would; without one, as a stranger. */
export function clientOf(url: string, token?: string): Client {
	const request: Client['request'] = async (method, path, body, headers = {}) => {
		const plain = typeof body === 'string' || body instanceof Uint8Array;
		const response = await fetch(url + path, {
			method,
			headers: {
				...(token === undefined ? {} : {authorization: `Bearer ${token}`}),
				...(body === undefined ? {} : {'content-type': 'application/json'}),
				...headers,
			},
			...(body === undefined ? {} : {body: plain ? (body as string) : JSON.stringify(body)}),
		});
		const text = await response.text();
		let parsed: unknown = text;
		try {
			parsed = JSON.parse(text);
		} catch {
			// Not every answer is JSON, and a test that expects it to be will see the text.
		}
		const wrong = DOCUMENTED.get(url)?.({method, path, status: response.status, body: parsed});
		if (wrong !== undefined) throw new Error(wrong);
		return {status: response.status, headers: response.headers, body: parsed};
	};
	return {
		url,
		request,
		get: (path, headers) => request('GET', path, undefined, headers),
		post: (path, body, headers) => request('POST', path, body, headers),
	};
}

/** The whole service in a directory of its own, in this process, on the engines of `enginesFor`; for `test.before`. */
export async function startTestService(
	environment: Record<string, string> = {},
	dataDir?: string,
	logTo?: DestinationStream,
): Promise<TestService> {
	const directory = dataDir ?? mkdtempSync(join(tmpdir(), 'millrace-service-'));
	const engines = await enginesFor(directory);
	const config = readConfig({
		...engines.environment,
		DATA_DIR: directory,
		PORT: '0',
		LOG_LEVEL: 'silent',
		ADMIN_EMAIL: ADMIN.email,
		ADMIN_PASSWORD: ADMIN.password,
		...environment,
	});
	const log = createLog(config.LOG_LEVEL, logTo);
	const metrics = new Metrics();
	const readiness = new Readiness(PARTS);
	const services = await createServices({config, log, metrics, readiness});
	const {listener, admit} = createApp({
		log,
		metrics,
		readiness,
		brands: ['svc', ...config.BRAND_ALIASES],
		metricsAccess: {served: config.METRICS === 'on', token: config.METRICS_TOKEN},
		slowMs: config.SLOW_MS,
	});
	admit(
		mount(services.routes, {
			...services,
			maxBodyBytes: config.MAX_BODY_BYTES,
			trustedProxies: config.TRUST_PROXY,
		}),
	);
	const server = createServer(listener);
	const url = await listen(server);
	if (process.env.DOCUMENTED !== '0') DOCUMENTED.set(url, documentedBy(services.routes));
	const token = await login(url);
	const client = clientOf(url, token);
	const {workspaces} = (await client.get('/v1/connected_user')).body.data;
	return {
		...client,
		dataDir: directory,
		token,
		organisationId: workspaces[0].organisation_id,
		database: services.database,
		routes: services.routes,
		datamartId: workspaces[0].datamarts[0].id,
		async stop() {
			server.close();
			server.closeAllConnections();
			await services.close(10_000);
			if (dataDir !== undefined) return;
			await engines.stop();
			rmSync(directory, {recursive: true, force: true, maxRetries: 10});
		},
	};
}

async function listen(server: Server): Promise<string> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function login(url: string, credentials: object = ADMIN): Promise<string> {
	const {body} = await clientOf(url).post('/v1/authentication/access_tokens', credentials);
	return body.data.access_token;
}
