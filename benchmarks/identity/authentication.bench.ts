import {once} from 'node:events';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {pino} from 'pino';
import {createApp} from '../../src/app.ts';
import type {VerifyToken} from '../../src/http/authenticate.ts';
import {mount} from '../../src/http/mount.ts';
import {signedRequests} from '../../src/http/verify-signature.ts';
import {apiTokenStore} from '../../src/identity/api-tokens/api-tokens.store.ts';
import {ApiTokens} from '../../src/identity/api-tokens/api-tokens.ts';
import {signingKeyStore} from '../../src/identity/signing-keys/signing-keys.store.ts';
import {SigningKeys} from '../../src/identity/signing-keys/signing-keys.ts';
import {userRoleStore} from '../../src/identity/users/user-roles.store.ts';
import {Secrets} from '../../src/lib/secrets.ts';
import {Metrics} from '../../src/operations/metrics.ts';
import {Readiness} from '../../src/operations/readiness.ts';
import {Directory} from '../../src/tenants/directory.ts';
import {loadTenants} from '../../src/tenants/tenants.store.ts';
import {startTestService, type TestService} from '../../test/support/service.ts';
import {signatureHeaders} from '../../test/support/signed.ts';
import {startLoader} from '../ingestion/load.ts';
import {type BenchOptions, type BenchResult, median} from '../support/bench.ts';
import {usageOf} from '../support/processes.ts';

const SECONDS = 3;
/** Enough to reach the ceiling, half of which is then asked for. */
const CONNECTIONS = 32;
const CHECKS = 50_000;

/**
 * What it costs to know who asks. Baseline: activities are accepted from a caller that is taken for granted; candidate:
 * from one whose API token is looked up; both at half the rate that the service reaches. CPU of the main thread in ms per 1,000 requests, drain and database aside, and
 * beside them the check of a known token, and of a signature over 1 KiB, in us, `rows` times each.
 */
export async function bench({rows = CHECKS, rounds = 5, say}: BenchOptions): Promise<BenchResult> {
	const service = await startTestService();
	const loader = startLoader();
	const servers: Server[] = [];
	try {
		const roles = userRoleStore(service.database);
		const apiTokens = new ApiTokens({tokens: apiTokenStore(service.database), roles});
		const userId = Number((await service.get('/v1/connected_user')).body.data.id);
		const ask = {name: 'bench', expirationDate: undefined, lifetimeMonths: undefined};
		const {value: token} = await apiTokens.create(userId, ask);
		const principal = await apiTokens.verify(token);
		const contenders = {
			open: await serve(service, servers, async () => principal),
			token: await serve(service, servers, sent => apiTokens.verify(sent)),
		};
		const loadOf = (name: keyof typeof contenders) => ({
			url: `${contenders[name]}/v1/datamarts/${service.datamartId}/user_activities`,
			token,
			connections: CONNECTIONS,
			name,
			seconds: SECONDS,
			activitiesPerRequest: 1,
		});
		const ceiling = await loader.run(loadOf('token'));
		const perSecond = Math.round(ceiling.requests / ceiling.seconds / 2);
		say(`${perSecond} requests a second, half of what it reaches`);
		const cpu: Record<keyof typeof contenders, number[]> = {open: [], token: []};
		for (let round = 0; round <= rounds; round++) {
			for (const name of ['open', 'token'] as const) {
				const before = mainThreadMs();
				const {requests, failures} = await loader.run({...loadOf(name), perSecond});
				if (failures > 0) throw new Error(`${failures} requests were not answered 200`);
				if (round > 0) cpu[name].push(((mainThreadMs() - before) / requests) * 1000);
			}
			say(
				`round ${round}: open ${cpu.open.at(-1)?.toFixed(1)}, token ${cpu.token.at(-1)?.toFixed(1)} ms CPU`,
			);
		}
		const signatureUs = await checkSignatures(service, userId, rows);
		const tokenUs = await microsecondsOf(rows, () => apiTokens.verify(token));
		say(`a token: ${tokenUs} us; a signature over 1 KiB: ${signatureUs} us`);
		await apiTokens.close();
		return {
			ratio: Number((median(cpu.token) / median(cpu.open)).toFixed(3)),
			requests_per_s: perSecond,
			token_us: tokenUs,
			signature_us: signatureUs,
			raw: {baseline_ms: cpu.open, candidate_ms: cpu.token, floor_ms: cpu.open},
		};
	} finally {
		loader.stop();
		for (const server of servers) {
			server.closeAllConnections();
			server.close();
		}
		await service.stop();
	}
}

/** The same routes and services once more, behind another way of knowing who asks; its address. */
async function serve(service: TestService, servers: Server[], verifyToken: VerifyToken): Promise<string> {
	const directory = await Directory.open(() => loadTenants(service.database));
	const {listener, admit} = createApp({
		log: pino({level: 'silent'}),
		metrics: new Metrics(),
		readiness: new Readiness([]),
		brands: ['svc'],
	});
	const signed = signedRequests(['svc'], () => Promise.reject(new Error('nothing is signed here')));
	admit(
		mount(service.routes, {directory, verifyToken, signedRequests: signed, maxBodyBytes: 5 * 1024 * 1024}),
	);
	const server = createServer(listener).listen(0, '127.0.0.1');
	servers.push(server);
	await once(server, 'listening');
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Of this thread, where the system tells; else of the whole process. */
function mainThreadMs(): number {
	const main = usageOf(process.pid)?.threads.get(process.pid);
	const {user, system} = process.cpuUsage();
	return main ?? (user + system) / 1000;
}

/** In us, of a key that is known. */
async function checkSignatures({database}: TestService, userId: number, count: number): Promise<number> {
	const signingKeys = new SigningKeys({
		keys: signingKeyStore(database),
		roles: userRoleStore(database),
		secrets: new Secrets('a secret for the benchmark alone'),
	});
	const key = await signingKeys.create(userId, {
		scheme: 'HMAC_SHA256',
		keyId: 'bench',
		expirationTs: undefined,
	});
	const path = '/v1/datamarts/1/user_activities';
	const body = Buffer.alloc(1024, 'x');
	const headers = signatureHeaders(key, path, body);
	const signature = {mac: headers['X-Svc-Mac']!, keyId: key.keyId, ts: headers['X-Svc-Ts']!};
	const readBody = async () => body;
	return microsecondsOf(count, () => signingKeys.verify(signature, path, readBody));
}

async function microsecondsOf(count: number, check: () => Promise<unknown>): Promise<number> {
	for (let warm = 0; warm < 1000; warm++) await check();
	const before = mainThreadMs();
	for (let time = 0; time < count; time++) await check();
	return Number((((mainThreadMs() - before) / count) * 1000).toFixed(1));
}
