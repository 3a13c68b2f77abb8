// npm run bench -- NAME [--json] [--rows N] [--rounds N]: one benchmark, found by its name below benchmarks/.
import {readdir} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {type Bench, machine} from './support/bench.ts';

const SUFFIX = '.bench.js';

const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {json: {type: 'boolean', default: false}, rows: {type: 'string'}, rounds: {type: 'string'}},
});

const files = await benchFiles();
const name = positionals[0] ?? '';
const file = files.get(name);
if (file === undefined) {
	process.stderr.write(
		`usage: npm run bench -- NAME [--json] [--rows N] [--rounds N]\nNAME: ${[...files.keys()].sort().join(', ')}\n`,
	);
	process.exit(2);
}

const {bench} = (await import(pathToFileURL(file).href)) as {bench: Bench};
const rows = positiveInteger('rows', values.rows);
const rounds = positiveInteger('rounds', values.rounds);
// With --json only the last line of standard output is the result; what a person reads goes to standard error.
const say = (text: string) => (values.json ? process.stderr : process.stdout).write(`${text}\n`);
const result = await bench({...(rows && {rows}), ...(rounds && {rounds}), say});
if (values.json) {
	process.stdout.write(
		`${JSON.stringify({name, machine: machine(), date: new Date().toISOString(), ...result})}\n`,
	);
} else {
	say(`ratio ${result.ratio} on ${machine()}`);
}

async function benchFiles(): Promise<Map<string, string>> {
	const entries = await readdir(import.meta.dirname, {recursive: true});
	return new Map(
		entries
			.filter(entry => entry.endsWith(SUFFIX))
			.map(entry => [basename(entry, SUFFIX), join(import.meta.dirname, entry)]),
	);
}

function positiveInteger(option: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const value = Number(text.replaceAll('_', ''));
	if (Number.isSafeInteger(value) && value > 0) return value;
	process.stderr.write(`--${option} is a positive integer\n`);
	process.exit(2);
}
