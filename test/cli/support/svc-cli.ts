import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import type {ExecutionContext} from 'ava';
import {projectFile} from '../../../src/lib/project.ts';

const PROGRAM = fileURLToPath(projectFile('bin/svc-cli.js'));

export interface Ran {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
}

/** `svc-cli` for a person of their own: a home that nobody else has. */
export interface Person {
	readonly home: string;
	readonly configFile: string;
	/** `leaveOpen`: whoever writes the input does not end it. */
	run(args: readonly string[], input?: string, options?: {leaveOpen?: boolean}): Promise<Ran>;
	/** On a terminal; each answer is typed when its question stands there. Both streams come back as one. */
	type(args: readonly string[], answers: Readonly<Record<string, string>>): Promise<Ran>;
}

export const HAS_TERMINAL = spawnSync('script', ['--version']).status === 0;

export function newPerson(t: Pick<ExecutionContext, 'teardown'>, program = PROGRAM): Person {
	const home = mkdtempSync(join(tmpdir(), 'millrace-cli-'));
	t.teardown(() => rmSync(home, {recursive: true, force: true}));
	const {MILLRACE_TOKEN: _, MILLRACE_TOKEN_FILE: __, ...inherited} = process.env;
	const env = {
		...inherited,
		HOME: home,
		XDG_CONFIG_HOME: join(home, 'config'),
		XDG_CACHE_HOME: join(home, 'cache'),
		XDG_DATA_HOME: join(home, 'data'),
		COLUMNS: '200',
		NO_COLOR: '1',
	};
	return {
		home,
		configFile: join(home, 'config', 'svc-cli', 'config.json'),
		async run(args, input, {leaveOpen = false} = {}) {
			const child = spawn(process.execPath, [program, ...args], {env, timeout: 60_000});
			child.stdin.write(input ?? '');
			if (!leaveOpen) child.stdin.end();
			const [[code], out, err] = await Promise.all([
				once(child, 'close') as Promise<[number | null]>,
				text(child.stdout),
				text(child.stderr),
			]);
			return {code, out, err};
		},
		async type(args, answers) {
			const command = [process.execPath, program, ...args].map(word => `'${word}'`).join(' ');
			const child = spawn('script', ['-qec', command, '/dev/null'], {env, timeout: 60_000});
			const waiting = Object.entries(answers);
			let out = '';
			child.stdout.on('data', chunk => {
				out += String(chunk);
				const next = waiting[0];
				if (!next || !out.includes(next[0])) return;
				waiting.shift();
				child.stdin.write(`${next[1]}\r`);
			});
			const [code] = (await once(child, 'close')) as [number | null];
			return {code, out, err: ''};
		},
	};
}
