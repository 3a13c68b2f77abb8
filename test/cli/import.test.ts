import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';
import test from 'ava';
import {demoQuestion} from '../../src/cli/demo/question.ts';
import {startTestService, type TestService} from '../support/service.ts';

const IMPORT = fileURLToPath(new URL('../../src/cli/import.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'millrace-import-'));
let service: TestService;

test.before(async () => {
	service = await startTestService();
});

test.after.always(async () => {
	await service?.stop();
	rmSync(folder, {recursive: true, force: true});
});

async function runImport(args: string[], environment: Record<string, string> = {}) {
	const child = spawn(process.execPath, [IMPORT, ...args], {
		env: {PATH: process.env.PATH, ...environment},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
	return {out, err, code: code as number};
}

function fileOf(name: string, bytes: string | Buffer): string {
	const path = join(folder, name);
	writeFileSync(path, bytes);
	return path;
}

function visit(user: number, event: string): string {
	return JSON.stringify({
		$type: 'SITE_VISIT',
		$ts: Date.now() - 60_000,
		$user_identifiers: [{$type: 'USER_AGENT', $user_agent_id: `vec:import-${user}`}],
		$events: [{$event_name: event, $ts: Date.now() - 60_000}],
	});
}

test('a packed file is taken whole, and all of it can be asked for when the import ends', async t => {
	const lines = Array.from({length: 1200}, (_, user) => visit(user, '$item_list_view'));
	const file = fileOf('visits.ndjson.gz', gzipSync(`${lines.join('\n')}\n`));
	const {out, err, code} = await runImport([file, '--datamart', service.datamartId, '--url', service.url], {
		MILLRACE_TOKEN: service.token,
	});
	t.is(code, 0, err);
	t.regex(out, /^1200 accepted, 0 duplicate, 0 rejected in /);
	const {body} = await service.post(
		`/v1/datamarts/${service.datamartId}/user_analytics_funnel`,
		demoQuestion(Date.now(), 14),
	);
	t.is(body.data.global.steps[0].count, 1200);
});

test('bad lines are named, the others are taken, and the exit code tells', async t => {
	const wrong = JSON.stringify({$type: 'APP_VISIT', $app_id: 5});
	const file = fileOf('mixed.ndjson', [visit(9001, 'a'), '', wrong, '{oops', visit(9002, 'b')].join('\n'));
	const {out, err, code} = await runImport([
		...[file, '--datamart', service.datamartId, '--url', service.url, '--token', service.token],
	]);
	t.is(code, 1);
	t.regex(out, /^2 accepted, 0 duplicate, 2 rejected in /);
	t.regex(err, /^line 3: \/\$app_id /m);
	t.regex(err, /^line 4: not valid JSON/m);
});

test('a stranger is told so, and nothing is said to be stored', async t => {
	const file = fileOf('one.ndjson', visit(1, 'a'));
	const {out, err, code} = await runImport([
		...[file, '--datamart', service.datamartId, '--url', service.url, '--token', 'nobody'],
	]);
	t.is(code, 1);
	t.regex(err, /stopped: the service answered 401: .*from line 1 on/);
	t.regex(out, /^0 accepted/);
});

for (const [what, args, says] of [
	['no file', ['--datamart', '1', '--token', 'x'], /one file is needed/],
	['no datamart', ['file', '--token', 'x'], /--datamart ID is needed/],
	['no token', ['file', '--datamart', '1'], /a token is needed/],
	['an unknown flag', ['file', '--datamrt', '1'], /--datamrt/],
	['a file that is not there', ['nowhere.ndjson', '--datamart', '1', '--token', 'x'], /ENOENT/],
	[
		'an address that is none',
		['file', '--datamart', '1', '--token', 'x', '--url', 'shop'],
		/no http address/,
	],
] as const) {
	test(`called with ${what}, the import says what is missing and how it is called`, async t => {
		const {err, code} = await runImport([...args]);
		t.is(code, 2);
		t.regex(err, says);
		t.regex(err, /npm run import -- FILE/);
	});
}
