import path from 'node:path';
import type {Logger} from 'pino';
import {activityReportRoutes} from './analytics/activity-report/activity-report.route.ts';
import {funnelRoutes} from './analytics/funnel/funnel.route.ts';
import {questionServices} from './analytics/questions/questions.services.ts';
import type {QuestionLimits, Questions} from './analytics/questions/questions.ts';
import {resourceUsageRoutes} from './analytics/resource-usage/resource-usage.route.ts';
import {UsageMeter} from './analytics/resource-usage/usage-meter.ts';
import {dashboardFiles} from './audience/dashboards/dashboards.ts';
import {finalValuesServices} from './audience/final-values/final-values.services.ts';
import {segmentBuilderRoutes} from './audience/segment-builders/segment-builders.route.ts';
import {segmentBuilderStore} from './audience/segment-builders/segment-builders.store.ts';
import {userSegmentsRoutes} from './audience/user-segments/user-segments.route.ts';
import {auditRoutes} from './audit/audit.route.ts';
import {auditStore} from './audit/audit.store.ts';
import {Audit} from './audit/audit.ts';
import {bulkServices} from './bulk/bulk.services.ts';
import type {Config} from './config.ts';
import {filesServices} from './files/files.services.ts';
import type {VerifyToken, VerifyWorker} from './http/authenticate.ts';
import {RateLimit} from './http/rate-limit.ts';
import type {Route} from './http/route.ts';
import {type SignedRequests, signedRequests} from './http/verify-signature.ts';
import {type FirstBoot, firstBoot} from './identity/first-boot.ts';
import {identityServices} from './identity/identity.services.ts';
import {traceChain} from './ingestion/activity-chain/trace-chain.ts';
import {activityTraceRoutes} from './ingestion/activity-chain/traces.route.ts';
import {channelPrincipal} from './ingestion/channel-tokens/channel-tokens.ts';
import {deadLettersRoutes} from './ingestion/dead-letters/dead-letters.route.ts';
import {identifierAssociationRoutes} from './ingestion/identifier-associations/identifier-associations.route.ts';
import {startIngestion} from './ingestion/ingestion.ts';
import {pixelRoutes} from './ingestion/pixel/pixel.route.ts';
import {timelinesRoutes} from './ingestion/timelines/timelines.route.ts';
import {uniqueKeyOf} from './ingestion/user-activities/activity-keys.ts';
import {userActivitiesRoutes} from './ingestion/user-activities/user-activities.route.ts';
import {activityChainJobs} from './jobs/activity-chain.ts';
import {makeDirectory} from './lib/files.ts';
import {Secrets} from './lib/secrets.ts';
import {showMachine} from './operations/machine.ts';
import type {Metrics} from './operations/metrics.ts';
import type {Readiness} from './operations/readiness.ts';
import {pluginServices} from './plugins/plugins.services.ts';
import type {Database} from './postgres/database.ts';
import {DirectoryLock} from './postgres/embedded/directory-lock.ts';
import {RevisionWatcher} from './postgres/revisions.ts';
import {assertSameKey} from './postgres/secret-key.store.ts';
import {type Close, embeddedUrl, loadSecretKey, startClickHouse, startPostgres} from './stores.ts';
import {Directory} from './tenants/directory.ts';
import {tenantRoutes} from './tenants/tenants.route.ts';
import {loadTenants, tenantStores} from './tenants/tenants.store.ts';
import {LANES} from './warehouse/embedded/protocol.ts';

export type {FirstBoot} from './identity/first-boot.ts';

export const PARTS = ['postgres', 'clickhouse', 'journal'] as const;

export interface Services {
	readonly routes: readonly Route[];
	readonly directory: Directory;
	readonly database: Database;
	readonly verifyToken: VerifyToken;
	readonly verifyWorker: VerifyWorker;
	readonly signedRequests: SignedRequests;
	readonly rateLimit: RateLimit | undefined;
	readonly audit: Audit;
	readonly usage: UsageMeter;
	readonly questions: Questions;
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

/** A former process may take this long to let go of the directory. */
const LOCK_WAIT_MS = 15_000;

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
	await makeDirectory(config.DATA_DIR);
	showMachine(metrics, config.DATA_DIR);
	// With server stores the embedded engines' own locks are not there, and a journal has one writer.
	const lock = await DirectoryLock.take(path.join(config.DATA_DIR, 'lock'), '', LOCK_WAIT_MS);
	closers.push(() => lock.release());
	const postgres = startPostgres(context, closers);
	const [secretKey, database, {warehouse, at}] = await Promise.all([
		loadSecretKey(config),
		postgres,
		startClickHouse(context, postgres, closers),
	]);

	await assertSameKey(database, new Secrets(secretKey));
	const booted = await firstBoot(database, {
		adminEmail: config.ADMIN_EMAIL,
		adminPassword: config.ADMIN_PASSWORD,
	});
	context.tellFirstBoot?.(booted);
	const stores = tenantStores(database);
	const auditEvents = auditStore(database);
	const secrets = new Secrets(secretKey);
	const revisions = await RevisionWatcher.start(database);
	closers.push(() => revisions.close());
	const directory = await Directory.open(() => loadTenants(database));
	revisions.on('directory', () => directory.refresh());
	const identity = identityServices({database, directory, secrets});
	closers.push(() => identity.close());
	revisions.on('credentials', async () => identity.forgetPrincipals());
	const files = await filesServices({
		database,
		directory,
		log,
		brands: config.BRAND_ALIASES,
		kinds: [dashboardFiles(directory)],
		maxFileBytes: config.MAX_FILE_BYTES,
		directoryOfFiles: path.join(config.DATA_DIR, 'files'),
		s3: config,
	});
	closers.push(() => files.close());
	const plugins = await pluginServices({
		database,
		directory,
		secrets,
		revisions,
		workerCredentials: identity.workerCredentials,
		foreignAssets: files.foreignAssets,
		allowedNetworks: config.PLUGIN_WORKER_ALLOWED_NETWORKS,
	});
	closers.push(() => plugins.close());
	readiness.up('postgres');

	const chains = activityChainJobs({
		allowedNetworks: config.PLUGIN_WORKER_ALLOWED_NETWORKS,
		states: plugins.workerClient.states.buffer,
	});
	closers.push(() => chains.close());
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
		analyzers: {links: plugins.analyzerLinks, directory, run: analysis => traceChain(analysis, chains.run)},
	});
	closers.push(graceMs => ingestion.close(graceMs));
	metrics.gauge(
		'millrace_chain_waiting_activities',
		'Accepted activities on their way through the analyzers of their channel',
		() => ingestion.waiting.size,
	);
	metrics.gauge(
		'millrace_chain_oldest_seconds',
		'How long the one that waits longest does, 0 where none waits',
		() => ingestion.waiting.ageMs(Date.now()) / 1000,
	);
	metrics.gauge(
		'millrace_chain_running_activities',
		'Of those, how many are with a plugin worker',
		() => ingestion.chain.running,
	);
	metrics.gauge(
		'millrace_plugin_workers_resting',
		'Plugin workers that are left alone after failures in a row',
		() => plugins.workerClient.states.resting,
	);
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
	const bulk = await bulkServices({
		database,
		warehouse,
		dataFiles: files.dataFiles,
		ingestion,
		directory,
		secrets,
		secretKey,
		workDirectory: path.join(config.DATA_DIR, 'jobs'),
		log,
		onJobLeft: (...left) => metrics.stores.jobEnded(...left),
	});
	metrics.show({
		name: 'millrace_jobs',
		help: 'Jobs of all instances that are not over, by type and status',
		label: 'type,status',
		read: () => bulk.jobs.countOpen(),
	});
	const finalValues = finalValuesServices({database, warehouse, directory, bulk});
	// What runs is left before its threads end.
	closers.push(
		() => finalValues.close(),
		() => bulk.close(),
	);
	await bulk.start({REFERENCE_TABLE: finalValues.job});
	const asking = questionServices({
		limits: questionLimits(config),
		directory,
		versionOf: ingestion.versionOf,
		meters: metrics.questions,
		show: shown => metrics.show(shown),
	});
	const brands = ['svc', ...config.BRAND_ALIASES];
	const usage = new UsageMeter({journal: ingestion.journal, directory, brands, log});
	closers.push(() => usage.close());
	// Last: nobody waits between this and the routes being let in.
	readiness.up('journal');

	return {
		directory,
		database,
		audit: new Audit({store: auditEvents, log}),
		usage,
		questions: asking.questions,
		verifyToken(token, guard) {
			const channel = channelPrincipal(directory, token);
			return channel ? Promise.resolve(channel) : identity.verifyToken(token, guard);
		},
		verifyWorker: identity.verifyWorker,
		signedRequests: signedRequests(brands, identity.verifySignature),
		rateLimit: config.RATE_LIMIT_PER_SECOND ? new RateLimit(config.RATE_LIMIT_PER_SECOND) : undefined,
		routes: [
			...userActivitiesRoutes({ingestion, directory}),
			...pixelRoutes({ingestion, directory}),
			...identifierAssociationRoutes({ingestion, directory}),
			...deadLettersRoutes({ingestion, directory}),
			...activityTraceRoutes({
				warehouse,
				keyOf: (datamartId, uniqueKey) => uniqueKeyOf(secrets, datamartId, uniqueKey).toString('hex'),
				flush: () => ingestion.traces.flush(),
			}),
			...userSegmentsRoutes({warehouse, directory, userPoints: ingestion.userPoints}),
			...timelinesRoutes({warehouse, directory, userPoints: ingestion.userPoints}),
			...funnelRoutes({warehouse, directory, ingestion}),
			...activityReportRoutes({
				warehouse,
				directory,
				counts: ingestion.counts,
				onListFault: error => log.warn({error}, 'a list of values could not be read into memory'),
			}),
			...resourceUsageRoutes({
				warehouse,
				directory,
				countPeople: asked => ingestion.userPoints.countBySpan(asked),
				countLetters: asked => ingestion.deadLetters.countBySpan(asked),
			}),
			...asking.routes,
			...identity.routes,
			...plugins.routes,
			...bulk.routes,
			...finalValues.routes,
			...tenantRoutes({...stores, directory}),
			...files.routes,
			...segmentBuilderRoutes({builders: segmentBuilderStore(database)}),
			...auditRoutes({audit: auditEvents}),
		],
	};
}

/** On the embedded engine as many at once as it has sessions for. */
function questionLimits(config: Config): QuestionLimits {
	const server = {light: config.LIGHT_QUERIES, heavy: config.HEAVY_QUERIES};
	return {
		atOnce: config.CLICKHOUSE_URL ? server : {light: LANES.light, heavy: LANES.heavy},
		perCaller: config.QUERIES_PER_CALLER,
		maxWaiting: config.QUERIES_WAITING_PER_CALLER,
		maxWaitMs: config.QUERY_WAIT_SECONDS * 1000,
		deadlineMs: config.QUERY_TIMEOUT_SECONDS * 1000,
		maxMemoryBytes: config.QUERY_MEMORY_BYTES,
		maxCacheBytes: config.QUERY_CACHE_BYTES,
	};
}
