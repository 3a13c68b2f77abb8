import {randomUUID} from 'node:crypto';
import {link, mkdir, readFile, rm, rmdir, stat, utimes, writeFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import {setTimeout as sleep} from 'node:timers/promises';
import {DomainError} from '../../errors.ts';

interface Holder {
	readonly id: string;
	readonly pid: number;
	/** Start of that process in clock ticks since boot where the system tells it: a pid alone may be reused. */
	readonly startedAt: string | null;
	readonly host: string;
	/** Left behind by a process that died; whoever takes over removes it. */
	readonly scratch: string;
}

const HEARTBEAT_MS = 3_000;
const SILENT_MS = 15_000;
const TAKEOVER_STALE_MS = 10_000;
const MAX_TAKEOVERS = 50;

async function startOf(pid: number): Promise<string | null> {
	try {
		const text = await readFile(`/proc/${pid}/stat`, 'utf8');
		// Field 22, counted after the command name, which may itself hold spaces and brackets.
		return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
	} catch {
		return null;
	}
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

async function readHolder(path: string): Promise<Holder | undefined> {
	try {
		return JSON.parse(await readFile(path, 'utf8')) as Holder;
	} catch {
		return undefined;
	}
}

/** On this host the process tells; from another (a shared volume) only a fresh heartbeat does. */
async function isAlive(path: string, holder: Holder | undefined): Promise<boolean> {
	const age =
		Date.now() -
		(await stat(path).then(
			({mtimeMs}) => mtimeMs,
			() => 0,
		));
	if (!holder) return age < SILENT_MS;
	if (holder.host !== hostname()) return age < SILENT_MS;
	if (!isRunning(holder.pid)) return false;
	return holder.startedAt === null || (await startOf(holder.pid)) === holder.startedAt;
}

/** One process per data directory, across crashes: a file that names its holder and is kept fresh by it. */
export class DirectoryLock {
	readonly #path: string;
	readonly #heartbeat: NodeJS.Timeout;

	private constructor(path: string) {
		this.#path = path;
		this.#heartbeat = setInterval(() => {
			const now = new Date();
			utimes(path, now, now).catch(() => {});
		}, HEARTBEAT_MS).unref();
	}

	/**
	 * Throws `store_unavailable`, naming the process, when another one holds the directory. One that is just ending is
	 * waited for, at most `waitMs`: restarts overlap.
	 */
	static async take(path: string, scratch: string, waitMs: number): Promise<DirectoryLock> {
		const own: Holder = {
			id: randomUUID(),
			pid: process.pid,
			startedAt: await startOf(process.pid),
			host: hostname(),
			scratch,
		};
		const draft = `${path}.${own.id}`;
		const patienceEnds = Date.now() + waitMs;
		const givenUp = patienceEnds + 2 * TAKEOVER_STALE_MS;
		for (let attempts = 0; attempts < MAX_TAKEOVERS && Date.now() < givenUp; ) {
			try {
				// A link appears with its content: nobody ever reads half a holder.
				// Synced: after a power cut an empty file would look like a holder that is just writing its name.
				await writeFile(draft, JSON.stringify(own), {mode: 0o600, flush: true});
				await link(draft, path);
				return new DirectoryLock(path);
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
			} finally {
				await rm(draft, {force: true});
			}
			const holder = await readHolder(path);
			if (await isAlive(path, holder)) {
				if (Date.now() < patienceEnds) {
					await sleep(100);
					continue;
				}
				throw new DomainError(
					'store_unavailable',
					`The data directory is in use by process ${holder?.pid} on ${holder?.host} (${path}): stop it, or set another DATA_DIR`,
				);
			}
			if (await removeStale(path, holder)) attempts++;
		}
		throw new DomainError('store_unavailable', `The lock ${path} could not be taken`);
	}

	async release(): Promise<void> {
		clearInterval(this.#heartbeat);
		await rm(this.#path, {force: true});
	}
}

/**
 * Of several that found the same dead holder, one removes its file; the others look again. Whoever was killed while it
 * did so is waited for, which is no attempt: answers whether it was this one's turn.
 */
async function removeStale(path: string, seen: Holder | undefined): Promise<boolean> {
	const guard = `${path}.takeover`;
	try {
		await mkdir(guard);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
		const age =
			Date.now() -
			(await stat(guard).then(
				({mtimeMs}) => mtimeMs,
				() => Date.now(),
			));
		if (age > TAKEOVER_STALE_MS) await rmdir(guard).catch(() => {});
		await sleep(20);
		return false;
	}
	try {
		const holder = await readHolder(path);
		if (holder?.id !== seen?.id) return true;
		await rm(path, {force: true});
		if (seen?.scratch.includes('/millrace-pg-')) await rm(seen.scratch, {recursive: true, force: true});
		return true;
	} finally {
		await rmdir(guard).catch(() => {});
	}
}
