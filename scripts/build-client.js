// Makes dist/client of src/client: JavaScript and types for who installs the package and runs no TypeScript. npm pack calls it.
import {spawnSync} from 'node:child_process';
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {ensureInstalled, ROOT} from './install.js';

ensureInstalled({withDev: true});
rmSync(join(ROOT, 'dist', 'client'), {recursive: true, force: true});
const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
// Standard output belongs to npm, which prints the name of what it has packed.
const {status} = spawnSync(compiler, ['--project', 'tsconfig.client.json'], {
	cwd: ROOT,
	stdio: ['ignore', 2, 2],
});
process.exitCode = status ?? 1;
