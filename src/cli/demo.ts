import {join, resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {MillraceClient} from '../client/index.ts';
import {serviceEnvironment} from '../config.ts';
import {demoLogin, type Login} from './demo/login.ts';
import {demoQuestion} from './demo/question.ts';
import {DemoService, freePort} from './demo/service.ts';
import {shopActivities} from './demo/shop.ts';
import {findTenant, type Tenant} from './demo/tenant.ts';
import {drawFunnel} from './draw-funnel.ts';
import type {Line} from './upload/lines.ts';
import {startProgress} from './upload/progress.ts';
import {uploadLines} from './upload/upload.ts';
import {runCommand, UsageError} from './usage.ts';

const USAGE = `npm run demo [-- --exit] [--shoppers N] [--seed N] [--port N] [--data-dir DIR]

Starts the service on embedded engines, posts a made-up shop's activities through the HTTP API,
asks a funnel, draws it and serves until Ctrl-C.

  --exit          end after drawing
  --shoppers N    how many people visit the shop (20000)
  --seed N        another shop (1)
  --port N        8080, or any free port where that is taken
  --data-dir DIR  where the demo keeps its data (./data/demo)`;

const DAYS = 14;
/** Visits a shopper makes, on average: 1, and for 45 in 100 another 1 to 3. */
const VISITS_EACH = 1.9;

await runCommand(USAGE, async () => {
	const options = readArguments();
	const login = await demoLogin(options.dataDir);
	const port = await freePort(options.port);
	const service = new DemoService({
		port,
		logFile: join(options.dataDir, 'service.log'),
		environment: serviceEnvironment({
			PORT: String(port),
			DATA_DIR: options.dataDir,
			ADMIN_EMAIL: login.email,
			ADMIN_PASSWORD: login.password,
		}),
	});
	let stopped = false;
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => {
			stopped = true;
			void service.stop();
		});
	}
	try {
		await tellStory(service, login, options);
		if (options.exit) return 0;
		say('', 'Serving until Ctrl-C.');
		await service.ended;
		if (!stopped) throw new Error(`the service ended by itself:\n${service.logEnd()}`);
		return 0;
	} catch (error) {
		// What fails because we were told to stop is no failure.
		if (stopped) return 0;
		throw error;
	} finally {
		await service.stop();
	}
});

async function tellStory(service: DemoService, login: Login, options: Options): Promise<void> {
	say('', 'Millrace: activities in, funnels out.', '');
	await timed('service started on embedded engines', () => service.untilReady());
	const stranger = new MillraceClient({url: service.url});
	const tenant = await findTenant(stranger, login);
	say(`  datamart ${tenant.datamartId} of ${tenant.organisationName}`);
	const client = stranger.withToken(tenant.token);
	await timed('posted and ready to be asked', () => postShop(client, tenant, options));

	const body = demoQuestion(Date.now(), DAYS);
	const {global} = await timed('funnel answered', () =>
		client.post('/v1/datamarts/{datamartId}/user_analytics_funnel', {path: tenant, body}),
	);
	say('', `The last ${DAYS} days:`, '', ...drawFunnel(global), '');
	say(`URL    ${service.url}/v1`, `Login  ${login.email}, password ${login.password}`, '', 'Ask again:', '');
	const path = `/v1/datamarts/${tenant.datamartId}/user_analytics_funnel`;
	say(`curl -s ${service.url}${path} \\`, `  -H 'Authorization: Bearer ${tenant.token}' \\`);
	say(`  -H 'Content-Type: application/json' \\`, `  -d '${JSON.stringify(body)}'`);
}

async function postShop(client: MillraceClient, tenant: Tenant, {seed, shoppers}: Options): Promise<string> {
	const nowMs = Date.now();
	const activities = shopActivities({...tenant, seed, shoppers, runId: String(nowMs), nowMs, days: DAYS});
	const lines = (async function* (): AsyncGenerator<Line> {
		let number = 0;
		for (const activity of activities) yield {number: ++number, text: JSON.stringify(activity)};
	})();
	const progress = startProgress(Math.round(shoppers * VISITS_EACH));
	const result = await uploadLines(lines, {
		client,
		datamartId: tenant.datamartId,
		onProgress: ({lines: done}) => progress.update(done, `${done} activities`),
	}).finally(() => progress.stop());
	if (result.stopped) throw new Error(result.stopped.reason);
	if (result.rejected > 0)
		throw new Error(`${result.rejected} rejected; the first: ${result.rejections[0]?.message}`);
	return `${result.accepted} activities of ${shoppers} shoppers`;
}

/** Says how long something took, after what it was; the work may bring a word of its own. */
async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
	const start = performance.now();
	const result = await work();
	const seconds = ((performance.now() - start) / 1000).toFixed(2);
	say(`${seconds.padStart(7)} s  ${typeof result === 'string' ? `${result} ` : ''}${name}`);
	return result;
}

function readArguments() {
	const {values} = parseArgs({
		options: {
			exit: {type: 'boolean', default: false},
			shoppers: {type: 'string', default: '20000'},
			seed: {type: 'string', default: '1'},
			port: {type: 'string', default: '8080'},
			'data-dir': {type: 'string', default: './data/demo'},
		},
	});
	return {
		exit: values.exit,
		shoppers: wholeNumber('--shoppers', values.shoppers, 1, 1_000_000),
		seed: wholeNumber('--seed', values.seed, 0, 2 ** 32 - 1),
		port: wholeNumber('--port', values.port, 0, 65_535),
		dataDir: resolve(values['data-dir']),
	};
}
type Options = ReturnType<typeof readArguments>;

function wholeNumber(name: string, text: string, least: number, most: number): number {
	const value = Number(text);
	if (/^\d+$/.test(text) && value >= least && value <= most) return value;
	throw new UsageError(`${name} is a whole number from ${least} to ${most}`);
}

function say(...lines: string[]): void {
	process.stdout.write(`${lines.join('\n')}\n`);
}
