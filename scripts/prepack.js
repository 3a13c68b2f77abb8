// npm pack calls it: all that runs as JavaScript, and the client's types for who imports it.
import {spawnSync} from 'node:child_process';
import {readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {ensureBuilt} from './build.js';
import {ensureInstalled, ROOT} from './install.js';

ensureInstalled({withDev: true});
const built = await ensureBuilt();
const client = join(ROOT, 'dist', 'src', 'client');
for (const name of readdirSync(client)) if (name.endsWith('.d.ts')) rmSync(join(client, name));
const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
// Standard output belongs to npm, which prints the name of what it has packed.
const {status} = spawnSync(compiler, ['--project', 'tsconfig.client.json'], {
	cwd: ROOT,
	stdio: ['ignore', 2, 2],
});
process.exitCode = built ? (status ?? 1) : 1;
