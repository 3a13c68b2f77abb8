import {execFile} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import anyTest, {type TestFn} from 'ava';
import {projectFile} from '../../src/lib/project.ts';
import {startTestService, type TestService} from '../support/service.ts';

const test = anyTest as TestFn<{service: TestService; token: string}>;
const EXAMPLES = 'docs/examples/client/';
const run = promisify(execFile);

test.before(async t => {
	const service = await startTestService();
	const {id} = (await service.get('/v1/connected_user')).body.data;
	const {value} = (await service.post(`/v1/users/${id}/api_tokens`, {name: 'examples'})).body.data;
	t.context = {service, token: value};
});
test.after.always(t => t.context.service?.stop());

/** Compiled with the rest, though not a part of it: the client is found by the package's name. */
const compiled = (name: string) =>
	fileURLToPath(new URL(`../../${EXAMPLES}${name.replace('.ts', '.js')}`, import.meta.url));

async function runExample(
	{service, token}: {service: TestService; token: string},
	name: string,
	more: string[],
) {
	const place = ['--url', service.url, '--datamart', service.datamartId, '--token', token];
	const {stdout} = await run(process.execPath, [compiled(name), ...place, ...more]);
	return stdout;
}

test.serial(
	'activities sent by the example are asked for by the next ones, and nothing is stored twice',
	async t => {
		const sent = await runExample(t.context, 'send-activities.ts', []);
		t.regex(sent, /^2 accepted, 0 duplicate, 1 rejected$/m);
		t.regex(sent, /^activity 2: identifier_refused: \/\$user_agent_id /m);
		t.regex(await runExample(t.context, 'send-activities.ts', []), / 1 rejected$/m);

		const funnel = await runExample(t.context, 'ask-a-funnel.ts', []);
		t.regex(funnel, /^looked: 2 of 2$/m);
		t.regex(funnel, /^bought: 1 of 2, for 349$/m);
		t.regex(funnel, /unknown device: looked 2, bought 1/);

		const listed = await runExample(t.context, 'user-points-of-a-step.ts', []);
		t.regex(listed, /^\d+ looked at 20\d\d-.*Z$/m);
		t.regex(listed, /^1 listed$/m);
	},
);

test.serial('a back end with a key signs for its app, and for itself', async t => {
	const key = await runExample(t.context, 'sign-for-an-app.ts', ['--new-key', 'example-app']);
	const said = await runExample(t.context, 'sign-for-an-app.ts', key.trim().split(' '));
	t.regex(said, /the app's call: 200/);
	t.regex(said, /the back end's own: 1 accepted/);
});

test('every example is run here', t => {
	t.deepEqual(readdirSync(projectFile(EXAMPLES)).sort(), [
		...['ask-a-funnel.ts', 'send-activities.ts', 'sign-for-an-app.ts', 'user-points-of-a-step.ts'],
	]);
});
