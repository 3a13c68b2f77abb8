import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {projectFile} from '../../src/lib/project.ts';

const RUN = fileURLToPath(projectFile('scripts/run.js'));
const dataDir = mkdtempSync(join(tmpdir(), 'millrace-demo-'));
test.after.always(() => rmSync(dataDir, {recursive: true, force: true}));

function startDemo(...args: string[]) {
	return spawn(process.execPath, [RUN, 'src/cli/demo.ts', '--port', '0', '--shoppers', '200', ...args], {
		env: {PATH: process.env.PATH, DATA_DIR: join(dataDir, 'elsewhere')},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
}

function everybody(said: string): number {
	return Number(/Everybody +█+ +(\d+)/.exec(said)?.[1]);
}

test('the demo draws a funnel, serves until it is told to stop, and a second run works as well', async t => {
	const first = startDemo('--data-dir', dataDir);
	let said = '';
	const serving = new Promise<void>((resolve, reject) => {
		first.once('exit', () => reject(new Error(`ended early: ${said}`)));
		first.stdout.setEncoding('utf8').on('data', chunk => {
			said += chunk;
			if (said.includes('Serving until Ctrl-C')) resolve();
		});
	});
	await serving;
	t.is(everybody(said), 200);
	t.regex(said, /Bought/);

	const [, url, token, body] = /curl -s (\S+)[\s\S]*Bearer (\S+)'[\s\S]*-d '(.*)'/.exec(said) ?? [];
	const again = await fetch(url!, {
		method: 'POST',
		headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
		body: body!,
	});
	const {data} = (await again.json()) as {data: {global: {total: number}}};
	t.is(data.global.total, 200, 'the printed curl line asks the same again');

	first.removeAllListeners('exit');
	first.kill('SIGINT');
	t.deepEqual(await once(first, 'exit'), [0, null]);

	const second = startDemo('--data-dir', dataDir, '--exit');
	const [saidThen, complaints, [code]] = await Promise.all([
		text(second.stdout),
		text(second.stderr),
		once(second, 'exit'),
	]);
	t.is(code, 0, complaints);
	t.is(everybody(saidThen), 400, 'shoppers of the first run are still there, those of the second are others');
});
