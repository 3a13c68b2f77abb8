import {mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {hostname, tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {DirectoryLock} from '../../../src/postgres/embedded/directory-lock.ts';

/** A number no process has: above the most that Linux gives out. */
const NO_PID = 2 ** 22 + 1;

function leftBehind(t: ExecutionContext): string {
	const directory = mkdtempSync(join(tmpdir(), 'millrace-lock-'));
	t.teardown(() => rmSync(directory, {recursive: true, force: true}));
	const path = join(directory, 'lock');
	const dead = {id: 'dead', pid: NO_PID, startedAt: null, host: hostname(), scratch: ''};
	writeFileSync(path, JSON.stringify(dead));
	return path;
}

test('a start after one that was killed while it took over from a killed one waits a while, and succeeds', async t => {
	const path = leftBehind(t);
	mkdirSync(`${path}.takeover`);
	const longAgo = new Date(Date.now() - 8_500);
	utimesSync(`${path}.takeover`, longAgo, longAgo);
	const began = Date.now();
	const lock = await DirectoryLock.take(path, '', 0);
	t.true(Date.now() - began > 1_000, 'whoever is taking over is not disturbed');
	await lock.release();
	t.deepEqual(readdirSync(join(path, '..')), []);
});

test('of several starts that find the same dead holder, one gets the directory', async t => {
	const path = leftBehind(t);
	const taken = await Promise.allSettled(Array.from({length: 5}, () => DirectoryLock.take(path, '', 0)));
	const locks = taken.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []));
	t.is(locks.length, 1);
	for (const outcome of taken)
		if (outcome.status === 'rejected') t.regex(outcome.reason.message, /in use by process/);
	await locks[0]!.release();
});
