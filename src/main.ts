import {once} from 'node:events';
import {createServer, type Server} from 'node:http';
import {setTimeout as delay} from 'node:timers/promises';
import type {Logger} from 'pino';
import {createApp} from './app.ts';
import {type Config, ConfigError, readConfig} from './config.ts';
import {mount} from './http/mount.ts';
import {installTracer} from './lib/tracer.ts';
import {createLog} from './operations/log.ts';
import {Metrics} from './operations/metrics.ts';
import {Readiness} from './operations/readiness.ts';
import {createServices, type FirstBoot, PARTS, type Services} from './services.ts';

/** SIGTERM ends the process within 15 s: what is left of the drain goes on after the next start. */
const GRACE_MS = 8_000;
const START_GRACE_MS = 3_000;
const DEADLINE_MS = 14_000;

/** config -> services -> app -> listen; stopped in reverse order. */
async function main(): Promise<void> {
	const config = configOrExit();
	const log = createLog(config.LOG_LEVEL);
	const closeTracer = await traceAsConfigured(config);
	const metrics = new Metrics();
	const readiness = new Readiness(PARTS);
	const {listener, admit} = createApp({
		log,
		metrics,
		readiness,
		brands: ['svc', ...config.BRAND_ALIASES],
		metricsAccess: {served: config.METRICS === 'on', token: config.METRICS_TOKEN},
		slowMs: config.SLOW_MS,
	});
	const server = createServer(listener);
	server.listen(config.PORT, config.HOST);
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' && address ? address.port : config.PORT;
	log.info({url: `http://${config.HOST}:${port}`}, 'listening');

	const starting = createServices({config, log, metrics, readiness, tellFirstBoot});
	stopOnSignals({server, readiness, starting, log, closeTracer});
	const services = await starting;
	admit(
		mount(services.routes, {
			directory: services.directory,
			verifyToken: services.verifyToken,
			verifyWorker: services.verifyWorker,
			signedRequests: services.signedRequests,
			rateLimit: services.rateLimit,
			audit: services.audit,
			usage: services.usage,
			questions: services.questions,
			trustedProxies: config.TRUST_PROXY,
			maxBodyBytes: config.MAX_BODY_BYTES,
		}),
	);
	log.info('ready');
}

function configOrExit(): Config {
	try {
		return readConfig();
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		process.stderr.write(`${error.message}\n`);
		process.exit(2);
	}
}

/** The generated password is shown this once and kept nowhere, so it goes to the terminal and not into the log. */
function tellFirstBoot(firstBoot: FirstBoot): void {
	if (!firstBoot.generatedPassword) return;
	process.stdout.write(
		`\nFirst start: the administrator is ${firstBoot.adminEmail}, password ${firstBoot.generatedPassword}\n` +
			'It is shown this once.\n\n',
	);
}

/** The libraries are loaded only where somebody wants traces. */
async function traceAsConfigured(config: Config): Promise<() => Promise<void>> {
	if (!config.OTEL_EXPORTER_OTLP_ENDPOINT) return async () => {};
	const {startOtelTracer} = await import('./operations/otel-tracer.ts');
	const tracer = startOtelTracer({
		endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
		serviceName: config.OTEL_SERVICE_NAME,
		ratio: config.OTEL_TRACES_SAMPLER_ARG,
	});
	installTracer(tracer);
	return () => tracer.close();
}

interface Running {
	readonly server: Server;
	readonly readiness: Readiness;
	readonly starting: Promise<Services>;
	readonly log: Logger;
	readonly closeTracer: () => Promise<void>;
}

function stopOnSignals({server, readiness, starting, log, closeTracer}: Running): void {
	let stopping = false;
	const stop = async (signal: NodeJS.Signals) => {
		if (stopping) return;
		stopping = true;
		log.info({signal}, 'stopping: what was accepted is finished first');
		// Whatever hangs, the end comes in time: the journal has what is not drained.
		setTimeout(() => process.exit(0), DEADLINE_MS).unref();
		readiness.stopping();
		const closed = once(server, 'close');
		server.close();
		server.closeIdleConnections();
		const cut = setTimeout(() => server.closeAllConnections(), 3_000).unref();
		await closed;
		clearTimeout(cut);
		// A start that waits for a server is not waited for.
		const services = await Promise.race([starting.catch(() => undefined), delay(START_GRACE_MS)]);
		await services?.close(GRACE_MS).catch(error => log.error({error}, 'a part did not close'));
		await Promise.race([closeTracer(), delay(1_000)]);
		log.info('stopped');
		process.exit(0);
	};
	process.on('SIGTERM', signal => void stop(signal));
	process.on('SIGINT', signal => void stop(signal));
}

main().catch(error => {
	process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	process.exit(1);
});
