// npm run check: format, lint, types, architecture; seconds, no server. Says at the end how long our files are.
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {ensureInstalled, ROOT} from './install.js';
import {describeSizes, fileSizes} from './sizes.js';

const bin = name => join(ROOT, 'node_modules', '.bin', name);
const CHECKS = [
	{name: 'format and lint', command: [bin('biome'), 'check', '--error-on-warnings', '.']},
	{name: 'types', command: [bin('tsc'), '--noEmit']},
	{name: 'architecture', command: [bin('ava'), 'test/architecture.test.ts']},
];

ensureInstalled({withDev: true});
const results = await Promise.all(CHECKS.map(run));
for (const {name, code, seconds, output} of results) {
	process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)\n`);
	if (code !== 0) process.stdout.write(`${output.trimEnd()}\n\n`);
}
process.stdout.write(`\n${describeSizes(fileSizes(ROOT))}\n`);
process.exitCode = results.some(({code}) => code !== 0) ? 1 : 0;

async function run({name, command: [program, ...args]}) {
	const start = performance.now();
	const child = spawn(program, args, {cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe']});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8');
		stream.on('data', text => {
			output += text;
		});
	}
	const code = await new Promise(resolve => {
		child.on('close', resolve);
		child.on('error', error => {
			output += error.message;
			resolve(1);
		});
	});
	return {name, code, output, seconds: ((performance.now() - start) / 1000).toFixed(1)};
}
