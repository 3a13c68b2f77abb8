import {randomBytes} from 'node:crypto';
import {mkdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import type {Logger} from 'pino';
import {activityReportRoutes} from './analytics/activity-report/activity-report.route.ts';
import {funnelRoutes} from './analytics/funnel/funnel.route.ts';
import {userSegmentsRoutes} from './audience/user-segments/user-segments.route.ts';
import {auditRoutes} from './audit/audit.route.ts';
import {auditStore} from './audit/audit.store.ts';
import {Audit} from './audit/audit.ts';
import type {Config} from './config.ts';
import {DomainError} from './errors.ts';
import type {VerifyToken} from './http/authenticate.ts';
import {RateLimit} from './http/rate-limit.ts';
import type {Route} from './http/route.ts';
import {type SignedRequests, signedRequests} from './http/verify-signature.ts';
import {accessTokenStore} from './identity/access-tokens/access-tokens.store.ts';
import {ACCESS_TOKEN_PREFIX, AccessTokens} from './identity/access-tokens/access-tokens.ts';
import {Logins} from './identity/access-tokens/logins.ts';
import {apiTokenRoutes} from './identity/api-tokens/api-tokens.route.ts';
import {apiTokenStore} from './identity/api-tokens/api-tokens.store.ts';
import {ApiTokens} from './identity/api-tokens/api-tokens.ts';
import {type FirstBoot, firstBoot} from './identity/first-boot.ts';
import {identityRoutes} from './identity/identity.route.ts';
import {refreshTokenStore} from './identity/refresh-tokens/refresh-tokens.store.ts';
import {RefreshTokens} from './identity/refresh-tokens/refresh-tokens.ts';
import {signingKeyRoutes} from './identity/signing-keys/signing-keys.route.ts';
import {signingKeyStore} from './identity/signing-keys/signing-keys.store.ts';
import {SigningKeys} from './identity/signing-keys/signing-keys.ts';
import {userRoleStore} from './identity/users/user-roles.store.ts';
import {userStore} from './identity/users/users.store.ts';
import {channelPrincipal} from './ingestion/channel-tokens/channel-tokens.ts';
import {deadLettersRoutes} from './ingestion/dead-letters/dead-letters.route.ts';
import {startIngestion} from './ingestion/ingestion.ts';
import {pixelRoutes} from './ingestion/pixel/pixel.route.ts';
import {timelinesRoutes} from './ingestion/timelines/timelines.route.ts';
import {userActivitiesRoutes} from './ingestion/user-activities/user-activities.route.ts';
import {writeFileAtomically} from './lib/files.ts';
import {Secrets} from './lib/secrets.ts';
import type {Metrics} from './operations/metrics.ts';
import type {Readiness} from './operations/readiness.ts';
import {type Database, openDatabase} from './postgres/database.ts';
import {DirectoryLock} from './postgres/embedded/directory-lock.ts';
import {migrate as migratePostgres} from './postgres/migrate.ts';
import {RevisionWatcher} from './postgres/revisions.ts';
import {assertSameKey} from './postgres/secret-key.store.ts';
import {Directory} from './tenants/directory.ts';
import {tenantRoutes} from './tenants/tenants.route.ts';
import {loadTenants, tenantStores} from './tenants/tenants.store.ts';
import {createWarehouse} from './warehouse/clickhouse.ts';
import {startEmbeddedClickHouse} from './warehouse/embedded/embedded-clickhouse.ts';
import {migrate as migrateClickHouse} from './warehouse/migrate.ts';

export type {FirstBoot} from './identity/first-boot.ts';

export const PARTS = ['postgres', 'clickhouse', 'journal'] as const;

export interface Services {
	readonly routes: readonly Route[];
	readonly directory: Directory;
	readonly database: Database;
	readonly verifyToken: VerifyToken;
	readonly signedRequests: SignedRequests;
	readonly rateLimit: RateLimit | undefined;
	readonly audit: Audit;
	/** In reverse order of building; what was accepted is carried on for at most `graceMs`. */
	close(graceMs: number): Promise<void>;
}

export interface ServiceContext {
	readonly config: Config;
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly readiness: Readiness;
	/** Called as soon as there is an administrator: a password that is not told then is told never. */
	readonly tellFirstBoot?: (boot: FirstBoot) => void;
}

/** A start waits so long for a ClickHouse server before it accepts without it. */
const SERVER_PATIENCE_MS = 5_000;

/** A former process may take this long to let go of the directory. */
const LOCK_WAIT_MS = 15_000;

type Close = (graceMs: number) => Promise<void> | void;

/** The composition root: everything is built here, once, and handed down. */
export async function createServices(context: ServiceContext): Promise<Services> {
	const closers: Close[] = [];
	const close: Close = async graceMs => {
		const failures: unknown[] = [];
		for (const closer of closers.splice(0).reverse()) {
			// One that fails must not keep the others open.
			try {
				await closer(graceMs);
			} catch (error) {
				failures.push(error);
			}
		}
		if (failures.length > 0) throw new AggregateError(failures, 'parts did not close');
	};
	try {
		return {...(await build(context, closers)), close: async graceMs => close(graceMs)};
	} catch (error) {
		await Promise.resolve(close(0)).catch(() => {});
		throw error;
	}
}

async function build(context: ServiceContext, closers: Close[]): Promise<Omit<Services, 'close'>> {
	const {config, log, metrics, readiness} = context;
	await mkdir(config.DATA_DIR, {recursive: true});
	// With server stores the embedded engines' own locks are not there, and a journal has one writer.
	const lock = await DirectoryLock.take(path.join(config.DATA_DIR, 'lock'), '', LOCK_WAIT_MS);
	closers.push(() => lock.release());
	const [secretKey, database, {warehouse, at}] = await Promise.all([
		loadSecretKey(config),
		startPostgres(context, closers),
		startClickHouse(context, closers),
	]);

	await assertSameKey(database, new Secrets(secretKey));
	const booted = await firstBoot(database, {
		adminEmail: config.ADMIN_EMAIL,
		adminPassword: config.ADMIN_PASSWORD,
	});
	context.tellFirstBoot?.(booted);
	const stores = tenantStores(database);
	const auditEvents = auditStore(database);
	const users = userStore(database);
	const roles = userRoleStore(database);
	const secrets = new Secrets(secretKey);
	const accessTokens = new AccessTokens({tokens: accessTokenStore(database), roles});
	closers.push(() => accessTokens.close());
	const refreshTokens = new RefreshTokens({
		tokens: refreshTokenStore(database),
		accessTokens,
		forgetPrincipals: () => forgetPrincipals(),
	});
	closers.push(() => refreshTokens.close());
	const apiTokens = new ApiTokens({tokens: apiTokenStore(database), roles});
	closers.push(() => apiTokens.close());
	const signingKeys = new SigningKeys({keys: signingKeyStore(database), roles, secrets});
	const revisions = await RevisionWatcher.start(database);
	closers.push(() => revisions.close());
	const directory = await Directory.open(() => loadTenants(database));
	revisions.on('directory', () => directory.refresh());
	const forgetPrincipals = () => {
		for (const credentials of [accessTokens, apiTokens, signingKeys]) credentials.forgetPrincipals();
	};
	revisions.on('credentials', async () => forgetPrincipals());
	readiness.up('postgres');

	const ingestion = await startIngestion({
		journalDirectory: path.join(config.DATA_DIR, 'journal'),
		maxJournalBytes: config.MAX_JOURNAL_BYTES,
		database,
		warehouse,
		secrets,
		log,
		shared: config.DATABASE_URL !== undefined,
		storesAt: {databaseUrl: config.DATABASE_URL ?? embeddedUrl(database), warehouse: at, secretKey},
		meters: metrics.ingestion,
	});
	closers.push(graceMs => ingestion.close(graceMs));
	metrics.gauge(
		'millrace_journal_bytes',
		'Bytes on disk that the drain has not released',
		() => ingestion.journal.bytes,
	);
	metrics.gauge(
		'millrace_drain_backlog_bytes',
		'Accepted bytes not yet queryable',
		() => ingestion.backlogBytes,
	);
	metrics.gauge(
		'millrace_drain_backlog_activities',
		'Accepted activities not yet queryable',
		() => ingestion.backlog.records,
	);
	metrics.gauge(
		'millrace_drain_oldest_seconds',
		'Age of the oldest activity not yet queryable, 0 where none waits',
		() => ingestion.backlog.ageMs(Date.now()) / 1000,
	);
	readiness.up('journal');

	return {
		directory,
		database,
		audit: new Audit({store: auditEvents, log}),
		verifyToken(token) {
			const channel = channelPrincipal(directory, token);
			if (channel) return Promise.resolve(channel);
			return token.startsWith(ACCESS_TOKEN_PREFIX) ? accessTokens.verify(token) : apiTokens.verify(token);
		},
		signedRequests: signedRequests(['svc', ...config.BRAND_ALIASES], (...request) =>
			signingKeys.verify(...request),
		),
		rateLimit: config.RATE_LIMIT_PER_SECOND ? new RateLimit(config.RATE_LIMIT_PER_SECOND) : undefined,
		routes: [
			...userActivitiesRoutes({ingestion, directory}),
			...pixelRoutes({ingestion, directory}),
			...deadLettersRoutes({ingestion, directory}),
			...userSegmentsRoutes({warehouse, directory, userPoints: ingestion.userPoints}),
			...timelinesRoutes({warehouse, directory, userPoints: ingestion.userPoints}),
			...funnelRoutes({warehouse, directory}),
			...activityReportRoutes({warehouse, directory}),
			...identityRoutes({
				accessTokens,
				refreshTokens,
				logins: new Logins(users),
				users,
				roles,
				directory,
				forgetPrincipals,
			}),
			...apiTokenRoutes({apiTokens, users, roles, directory}),
			...signingKeyRoutes({signingKeys, users, roles, directory}),
			...tenantRoutes({...stores, directory}),
			...auditRoutes({audit: auditEvents}),
		],
	};
}

async function startPostgres({config, log}: ServiceContext, closers: Close[]): Promise<Database> {
	const database = await openDatabase(
		config.DATABASE_URL ? {url: config.DATABASE_URL} : {dataDir: config.DATA_DIR},
	);
	closers.push(() => database.close());
	database.embedded?.onExit(error =>
		log.error({error}, 'the embedded PostgreSQL ended and is started again'),
	);
	await untilUp(config.DATABASE_URL !== undefined, log, 'PostgreSQL', () => migratePostgres(database));
	return database;
}

/** Any thread reaches the embedded engine through its socket. */
function embeddedUrl(database: Database): string {
	const socket = encodeURIComponent(database.embedded!.socketDirectory);
	return `postgres://postgres@localhost/postgres?host=${socket}`;
}

async function startClickHouse({config, log, readiness}: ServiceContext, closers: Close[]) {
	const at = config.CLICKHOUSE_URL
		? serverAt(config.CLICKHOUSE_URL)
		: await embeddedClickHouse(config, log, closers);
	const warehouse = createWarehouse({
		...at,
		onEngineError: (name, text) => log.debug({query: name, text}, 'ClickHouse refused a statement'),
	});
	closers.push(() => warehouse.close());
	const up = untilUp(config.CLICKHOUSE_URL !== undefined, log, 'ClickHouse', () =>
		migrateClickHouse(warehouse, config.CLICKHOUSE_URL ? at : {}),
	).then(() => readiness.up('clickhouse'));
	up.catch(error => log.fatal({error}, 'ClickHouse cannot be brought to this release'));
	// Accepting depends on the journal alone: a server that is away now is drained to when it comes.
	await (config.CLICKHOUSE_URL ? Promise.race([up, delay(SERVER_PATIENCE_MS, undefined, {ref: false})]) : up);
	return {warehouse, at};
}

async function embeddedClickHouse(config: Config, log: Logger, closers: Close[]) {
	const embedded = await startEmbeddedClickHouse({dataDir: path.join(config.DATA_DIR, 'clickhouse')});
	closers.push(() => embedded.close());
	embedded.onExit(exit => log.error(exit, 'the embedded ClickHouse ended and is started again'));
	const {url, username, password} = embedded;
	return {url, username, password};
}

/** Credentials and database of `http://user:password@host:8123/database`. */
function serverAt(address: string) {
	const url = new URL(address);
	return {
		url: url.origin,
		username: decodeURIComponent(url.username) || 'default',
		password: decodeURIComponent(url.password),
		database: url.pathname.slice(1) || 'default',
	};
}

/** A server may come up after us; an embedded engine that fails has a reason to be told. */
async function untilUp<T>(isServer: boolean, log: Logger, name: string, work: () => Promise<T>): Promise<T> {
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (!isServer || !(error instanceof DomainError) || error.code !== 'store_unavailable') throw error;
			log.warn({error}, `${name} cannot be reached yet`);
			await delay(1000);
		}
	}
}

/** The configured key, or one made once and kept beside the engines' folders. */
async function loadSecretKey(config: Config): Promise<string> {
	if (config.SECRET_KEY) return config.SECRET_KEY;
	const file = path.join(config.DATA_DIR, 'secret.key');
	try {
		return (await readFile(file, 'utf8')).trim();
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
	}
	const key = randomBytes(32).toString('hex');
	await writeFileAtomically(file, `${key}\n`);
	return key;
}
