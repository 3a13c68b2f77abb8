import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {startServiceProcess} from '../support/process.ts';
import {ADMIN} from '../support/service.ts';
import {newPerson} from './support/svc-cli.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'millrace-package-'));
test.after.always(() => rmSync(directory, {recursive: true, force: true}));

test('what npm packs is a service and a command line tool, and nothing of ours that nobody needs', async t => {
	execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', directory], {
		cwd: ROOT,
		stdio: 'pipe',
	});
	const [archive] = readdirSync(directory);
	const modules = join(directory, 'node_modules');
	mkdirSync(modules);
	execFileSync('tar', ['-xzf', join(directory, archive!), '-C', modules]);
	const installed = join(modules, 'package');
	t.deepEqual(
		readdirSync(installed).sort(),
		[
			'ARCHITECTURE.md',
			'LICENSE',
			'README.md',
			'bin',
			'docs',
			'ops',
			'package.json',
			'sql',
			'src',
			'workers',
		].sort(),
	);
	// Its dependencies are those of the checkout: fetching them again would try the registry and not the package.
	symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'));

	const service = await startServiceProcess(
		join(directory, 'data'),
		{},
		{
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
});
