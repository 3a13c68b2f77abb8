import {type ChildProcess, execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import {projectFile} from '../../src/lib/project.ts';
import {
	childrenOf,
	freePort,
	killIfThere,
	type ServiceProcess,
	startServiceProcess,
} from '../support/process.ts';
import {ADMIN, type Client, clientOf, login} from '../support/service.ts';

interface Context {
	readonly dataDir: string;
	/** As `npm start` starts it, again on the same port after a crash. A test's context is a copy: what changes is inside. */
	readonly running: {process: ServiceProcess};
	readonly start: () => Promise<ServiceProcess>;
	readonly service: Client & {readonly url: string; readonly datamartId: string};
}

const test = anyTest as TestFn<Context>;
const EXAMPLES = fileURLToPath(projectFile('docs/examples/'));
const RUN = fileURLToPath(projectFile('scripts/run.js'));
const run = promisify(execFile);

test.before(async t => {
	t.timeout(180_000);
	const dataDir = mkdtempSync(join(tmpdir(), 'millrace-examples-'));
	const environment = {PLUGIN_WORKER_ALLOWED_NETWORKS: '127.0.0.0/8', PORT: String(await freePort())};
	const start = () => startServiceProcess(dataDir, environment, {program: [RUN, 'src/main.ts']});
	const process = await start();
	const client = clientOf(process.url, await login(process.url));
	const {workspaces} = (await client.get('/v1/connected_user')).body.data;
	const service = {...client, url: process.url, datamartId: workspaces[0].datamarts[0].id};
	t.context = {dataDir, running: {process}, start, service};
});
test.after.always(async t => {
	await t.context.running?.process.kill('SIGTERM');
	rmSync(t.context.dataDir, {recursive: true, force: true, maxRetries: 10});
});

/** As docs/plugins.md says: registered, then started with what that printed. */
async function startExample(t: ExecutionContext<Context>, kind: string) {
	const {service} = t.context;
	const port = await freePort();
	const {stdout} = await run(process.execPath, [
		...[`${EXAMPLES}register.js`, kind, '--url', service.url, '--port', String(port)],
		...['--email', ADMIN.email, '--password', ADMIN.password],
	]);
	const environment = Object.fromEntries(
		[...stdout.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
	);
	const worker: ChildProcess = spawn(process.execPath, [`${EXAMPLES}${kind}.js`], {
		env: {PATH: process.env.PATH, ...environment},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	t.teardown(() => worker.kill('SIGKILL'));
	await once(worker.stdout!, 'data');
	const id = /(?:analyzer|router|template) (\d+)/.exec(stdout)?.[1] ?? '';
	const call = async (path: string, body: object) => {
		const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
			method: 'POST',
			body: JSON.stringify(body),
		});
		// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was answered.
		return {status: answer.status, body: (await answer.json()) as any};
	};
	return {id, call, channelId: /channel (\d+)/.exec(stdout)?.[1] ?? ''};
}

test.serial('the example of an activity analyzer changes what is sent to its channel', async t => {
	const {service} = t.context;
	const {id, channelId} = await startExample(t, 'activity-analyzer');
	const activity = {
		$type: 'SITE_VISIT',
		$site_id: channelId,
		$user_agent_id: 'vec:example',
		$events: [
			{$event_name: '$page_view', $properties: {$url: 'https://shop.example/?utm_source=mail&size=42'}},
			{$event_name: '$transaction_confirmed', $properties: {$amount: 3}},
		],
	};
	const door = `/v1/datamarts/${service.datamartId}/user_activities`;
	t.is((await service.post(`${door}?async=false`, activity)).status, 200);
	const path = `/v1/datamarts/${service.datamartId}/user_timelines/user_agent_id=vec:example/user_activities`;
	const [stored] = (await service.get(path)).body.data;
	t.is(stored.processed_by, id);
	t.deepEqual(stored.$topics, {bought: {yes: 1}});
	t.is(stored.$events[0].$properties.$url, 'https://shop.example/?size=42');
});

test.serial('the example of an email renderer reads its template and counts its link', async t => {
	const {id, call} = await startExample(t, 'email-renderer');
	const {status, body} = await call('/v1/email_contents', {
		creative_id: id,
		context: 'LIVE',
		user_data_bag: {first_name: 'A<nn'},
		click_urls: ['http://one/?to=', 'http://two/?to='],
	});
	t.is(status, 200);
	t.is(
		body.content.text,
		'Hello A<nn, have a look: http://one/?to=http%3A%2F%2Ftwo%2F%3Fto%3Dhttps%253A%252F%252Fexample.org%252F',
	);
	t.regex(body.content.html, /Hello A&lt;nn/);
	t.is(body.meta.subject_line, 'News');
});

test.serial('the example of an email router writes to whom it can', async t => {
	const {id, call} = await startExample(t, 'email-router');
	const somebody = [{type: 'USER_EMAIL', hash: 'h', email: 'ann@example.org'}];
	t.deepEqual((await call('/v1/email_router_check', {user_identifiers: somebody})).body, {result: true});
	t.deepEqual((await call('/v1/email_router_check', {user_identifiers: []})).body, {result: false});
	const routing = {email_router_id: id, user_identifiers: somebody, meta: {}, content: {text: 'Hello'}};
	t.deepEqual((await call('/v1/email_routing', routing)).body, {result: true});
	t.is((await call('/v1/nothing', {})).status, 404);
	// An id of nobody: it cannot read its properties, and says so with a 500.
	t.is((await call('/v1/email_routing', {...routing, email_router_id: '999999'})).status, 500);
});

test.serial('a test email goes through both examples', async t => {
	const {service} = t.context;
	const {id: templateId} = await startExample(t, 'email-renderer');
	const {id: routerId} = await startExample(t, 'email-router');
	const answer = await service.post(`/v1/email_templates/${templateId}/send_test`, {
		email: 'ann@example.org',
		email_router_id: routerId,
	});
	t.like(answer.body.data, {result: true, refused_by: null, context: 'STAGE'});
});

test.serial(
	'after a crash of the service the same examples go on, with the credentials they have',
	async t => {
		t.timeout(180_000);
		const {service, start, running} = t.context;
		const {id, channelId} = await startExample(t, 'activity-analyzer');
		// What npm started passes signals on and cannot pass on this one: the service itself is behind it.
		for (const child of childrenOf(running.process.child.pid!)) killIfThere(child);
		await running.process.ended;
		running.process = await start();
		const activity = {
			$type: 'SITE_VISIT',
			$site_id: channelId,
			$user_agent_id: 'vec:afterwards',
			$events: [{$event_name: '$transaction_confirmed', $properties: {$amount: 3}}],
		};
		const datamart = `/v1/datamarts/${service.datamartId}`;
		t.is((await service.post(`${datamart}/user_activities?async=false`, activity)).status, 200);
		const path = `${datamart}/user_timelines/user_agent_id=vec:afterwards/user_activities`;
		const [stored] = (await service.get(path)).body.data;
		t.is(stored.processed_by, id);
		t.deepEqual(stored.$topics, {bought: {yes: 1}});
	},
);
