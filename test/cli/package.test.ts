import {execFile, execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';
import {projectFile} from '../../src/lib/project.ts';
import {startServiceProcess} from '../support/process.ts';
import {ADMIN} from '../support/service.ts';
import {newPerson} from './support/svc-cli.ts';

const ROOT = fileURLToPath(projectFile('.'));
const directory = mkdtempSync(join(tmpdir(), 'millrace-package-'));
const installed = join(directory, 'node_modules', 'millrace');
const CLIENT = join('dist', 'src', 'client');

test.before(() => {
	// With its scripts, as a person calls it: they build the client.
	execFileSync('npm', ['pack', '--pack-destination', directory], {cwd: ROOT, stdio: 'pipe'});
	const [archive] = readdirSync(directory);
	mkdirSync(installed, {recursive: true});
	execFileSync('tar', ['-xzf', join(directory, archive!), '-C', installed, '--strip-components=1']);
});
test.after.always(() => rmSync(directory, {recursive: true, force: true, maxRetries: 10}));

/** In a folder that has nothing but the package: not even its dependencies. */
const CONSUMER = `
import {MillraceClient, RefusedError, signatureHeaders} from 'millrace/client';
const client = new MillraceClient({url: process.argv[2]});
try {
	await client.login({email: 'nobody@example.org', password: 'not this one'});
} catch (error) {
	if (!(error instanceof RefusedError)) throw error;
	console.log(error.status, error.errorCode);
}
console.log(Object.keys(await signatureHeaders({keyId: 'a', secretKey: 'b'}, {path: '/v1/x'})).join());
`;

const TYPED_CONSUMER = `
import {type Activity, MillraceClient} from 'millrace/client';
const client = new MillraceClient({url: 'https://millrace.example.org'});
const {workspaces} = await client.get('/v1/connected_user');
export const names: string[] = workspaces.map(({organisation_name}) => organisation_name);
export const activity: Activity = {$type: 'SITE_VISIT', $events: [{$event_name: '$page_view'}]};
// @ts-expect-error no such path
await client.get('/v1/nothing');
`;

test.serial(
	'the client is imported by plain Node from a folder that has nothing else, and by TypeScript with its types',
	async t => {
		t.timeout(300_000);
		const service = await startServiceProcess(join(directory, 'client-data'));
		t.teardown(() => service.kill('SIGTERM'));
		writeFileSync(join(directory, 'consumer.mjs'), CONSUMER);
		const run = promisify(execFile);
		const {stdout} = await run(process.execPath, ['consumer.mjs', service.url], {cwd: directory});
		t.is(stdout, '401 credentials_invalid\nX-Svc-Mac,X-Svc-Key-Id,X-Svc-Ts\n');

		writeFileSync(join(directory, 'consumer.mts'), TYPED_CONSUMER);
		const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
		const strict = ['--strict', '--noEmit', '--target', 'es2022', '--types', ''];
		for (const module of [
			['--module', 'nodenext'],
			['--module', 'esnext', '--moduleResolution', 'bundler'],
		]) {
			const args = [...strict, ...module, '--lib', 'es2023,dom', 'consumer.mts'];
			await t.notThrowsAsync(run(compiler, args, {cwd: directory}), module.join(' '));
		}
	},
);

test('the client imports nothing: neither a package nor a module of Node', t => {
	const files = readdirSync(join(installed, CLIENT)).filter(name => name.endsWith('.js'));
	t.true(files.includes('index.js'));
	for (const file of files) {
		const text = readFileSync(join(installed, CLIENT, file), 'utf8');
		const imported = [...text.matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(([, name]) => name!);
		t.deepEqual(
			imported.filter(name => !name.startsWith('./')),
			[],
			file,
		);
		t.notRegex(text, /\b(?:process|Buffer|require)\b\s*[.(]/, file);
	}
});

test.serial(
	'what npm packs is a service and a command line tool, and nothing of ours that nobody needs',
	async t => {
		t.deepEqual(
			readdirSync(installed).sort(),
			['ARCHITECTURE.md', 'LICENSE', 'README.md', 'bin', 'dist', 'docs', 'ops', 'package.json', 'sql'].sort(),
		);
		t.deepEqual(readdirSync(join(installed, 'dist')).sort(), ['src', 'workers']);
		// Its dependencies are those of the checkout: fetching them again would try the registry and not the package.
		symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'));

		const service = await startServiceProcess(
			join(directory, 'data'),
			{},
			{
				prepared: false,
				program: [join(installed, 'bin', 'millrace.js')],
			},
		);
		t.teardown(() => service.kill('SIGTERM'));
		const person = newPerson(t, join(installed, 'bin', 'svc-cli.js'));
		const {code, err} = await person.run(
			['login', '--base-url', service.url, '--email', ADMIN.email, '--password-stdin'],
			ADMIN.password,
		);
		t.is(code, 0, err);
		t.regex((await person.run(['whoami'])).out, new RegExp(ADMIN.email));
		t.is(await service.kill('SIGTERM'), 0, 'the signal reaches the service, which ends in order');
	},
);
