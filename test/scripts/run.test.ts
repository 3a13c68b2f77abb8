import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {projectFile} from '../../src/lib/project.ts';

const RUN = fileURLToPath(projectFile('scripts/run.js'));
const ENTRY = 'test/scripts/entry.ts';

function run(...args: string[]): ChildProcess {
	return spawn(process.execPath, [RUN, ENTRY, ...args], {stdio: ['ignore', 'pipe', 'inherit']});
}

test('arguments reach the entry as they were written, and its exit code comes back', async t => {
	const child = run('exit', '7', '--flag', 'two words');
	const [said, [code]] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
	t.deepEqual(JSON.parse(said), ['exit', '7', '--flag', 'two words']);
	t.is(code, 7);
});

test('SIGTERM reaches the service, and the starter stays until the service has closed', async t => {
	const child = run('serve');
	let said = '';
	child.stdout!.setEncoding('utf8').on('data', chunk => {
		said += chunk;
	});
	await once(child.stdout!, 'data');
	child.kill('SIGTERM');
	const [code] = await once(child, 'exit');
	t.is(code, 0);
	t.regex(said, /serving\nclosing\nclosed\n$/);
});

const INSTALL = projectFile('scripts/install.js').href;

interface InstallOptions {
	readonly withDev?: boolean;
	readonly isProduction?: boolean;
}

async function isInstalled(
	t: ExecutionContext,
	wanted: object,
	found?: object,
	options: InstallOptions = {},
): Promise<boolean> {
	const root = mkdtempSync(join(tmpdir(), 'millrace-install-'));
	t.teardown(() => rmSync(root, {recursive: true}));
	writeFileSync(join(root, 'package-lock.json'), JSON.stringify({packages: wanted}));
	if (found) {
		mkdirSync(join(root, 'node_modules'));
		writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({packages: found}));
	}
	const install = (await import(INSTALL)) as {
		isInstalled(root: string, options: InstallOptions): boolean;
	};
	return install.isInstalled(root, options);
}

const KOA = {'node_modules/koa': {version: '3.3.0'}};

test('a fresh clone is installed first', async t => {
	t.false(await isInstalled(t, KOA));
});

test('nothing is installed again when everything is there', async t => {
	t.true(await isInstalled(t, {'': {version: '0.1.0'}, ...KOA}, KOA));
});

test('a lock file that has moved on is installed again', async t => {
	t.false(await isInstalled(t, {'node_modules/koa': {version: '3.4.0'}}, KOA));
	t.false(await isInstalled(t, {...KOA, 'node_modules/zod': {version: '4.6.7'}}, KOA));
});

test('what was installed for production is not installed again, but completed for a check', async t => {
	const AVA = {'node_modules/ava': {version: '7.0.0', dev: true}};
	const TYPESCRIPT = {'node_modules/typescript': {version: '7.0.2', dev: true}};
	const wanted = {...KOA, ...AVA, ...TYPESCRIPT};
	t.true(await isInstalled(t, wanted, KOA), 'npm ci --omit=dev');
	t.false(await isInstalled(t, wanted, KOA, {withDev: true}), 'a check needs them');
	t.false(await isInstalled(t, wanted, {...KOA, ...AVA}), 'one of several is missing');
	t.true(await isInstalled(t, wanted, {...KOA, ...AVA}, {isProduction: true}), 'nobody asks for it');
	t.false(await isInstalled(t, wanted, AVA, {isProduction: true}), 'koa is needed in production too');
});

test("another machine's optional package is not missed", async t => {
	t.true(await isInstalled(t, {...KOA, 'node_modules/chdb-arm': {version: '3.4.0', optional: true}}, KOA));
});
