import {readdirSync, readFileSync} from 'node:fs';
import {childrenOf} from '../../test/support/process.ts';

/** What a process has used since it began; `undefined` where the system does not tell (only Linux does). */
export interface Usage {
	readonly cpuMs: number;
	/** CPU by thread, in the order the threads came. */
	readonly threads: ReadonlyMap<number, number>;
}

/** A clock tick of /proc, in ms: 100 a second on every Linux there is. */
const TICK_MS = 10;
/** Fields of /proc/PID/stat behind the command's closing bracket. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

export function usageOf(pid: number | undefined): Usage | undefined {
	if (pid === undefined) return undefined;
	try {
		const tids = readdirSync(`/proc/${pid}/task`).map(Number);
		const threads = new Map<number, number>();
		for (const tid of tids.sort((a, b) => a - b)) threads.set(tid, cpuMsOf(`/proc/${pid}/task/${tid}/stat`));
		return {cpuMs: cpuMsOf(`/proc/${pid}/stat`), threads};
	} catch {
		return undefined;
	}
}

/** CPU in ms that this process and its children have used; `undefined` where the system does not tell. */
export function cpuMsOfAll(): number | undefined {
	try {
		const pids = [process.pid, ...childrenOf(process.pid)];
		return pids.reduce((sum, pid) => sum + cpuMsOf(`/proc/${pid}/stat`), 0);
	} catch {
		return undefined;
	}
}

function cpuMsOf(file: string): number {
	const stat = readFileSync(file, 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * TICK_MS;
}

/** Resident bytes of a process. */
export function residentBytes(pid: number | undefined): number | undefined {
	if (pid === undefined) return undefined;
	try {
		const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
		return kib === undefined ? undefined : Number(kib) * 1024;
	} catch {
		return undefined;
	}
}

/**
 * Threads of the service in the order they come: Node's own eleven (V8, inspector, file system), then ours. What comes
 * later (password hashing, analyzers) is among the helpers; with fewer threads nobody can tell which is which.
 */
const OURS: readonly (readonly [role: string, place: number])[] = [
	['main', 0],
	['postgres', 11],
	['drain', 12],
];
const THREADS = 13;

/** CPU in ms between two readings, by the threads' roles; `helpers` is the rest: garbage collection, compiling, file system. */
export function cpuByRole(before: Usage, after: Usage): Record<string, number> {
	const tids = [...before.threads.keys()];
	const spent = (tid: number) => (after.threads.get(tid) ?? 0) - (before.threads.get(tid) ?? 0);
	const total = after.cpuMs - before.cpuMs;
	const known = tids.length >= THREADS ? OURS : OURS.slice(0, 1);
	const roles = Object.fromEntries(known.map(([role, place]) => [role, spent(tids[place]!)]));
	return {...roles, helpers: total - Object.values(roles).reduce((sum, ms) => sum + ms, 0)};
}
