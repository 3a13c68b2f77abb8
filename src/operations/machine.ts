import {readFile, statfs} from 'node:fs/promises';
import {livingThreads} from '../lib/thread.ts';
import type {Metrics} from './metrics.ts';

/** What the process and its machine can tell of themselves, beside what `prom-client` reads anyway. */
export function showMachine(metrics: Metrics, dataDir: string): void {
	const main = () => performance.eventLoopUtilization().active / 1000;
	metrics.show({
		name: 'millrace_thread_active_seconds_total',
		help: 'Time in which the event loop of a thread had something to do; its rate is how busy the thread is',
		label: 'thread',
		kind: 'counter',
		read: () => ({main: main(), ...livingThreads()}),
	});
	const disk = (name: string, help: string, blocks: 'bavail' | 'blocks') =>
		metrics.show({
			name,
			help,
			read: async () => {
				const stats = await statfs(dataDir);
				return stats[blocks] * stats.bsize;
			},
		});
	disk('millrace_disk_free_bytes', 'Free on the disk of DATA_DIR', 'bavail');
	disk('millrace_disk_size_bytes', 'Size of the disk of DATA_DIR', 'blocks');
}

/** Memory of another process on this machine, in bytes, where the system tells it (Linux). */
export async function residentBytes(pid: number | undefined): Promise<number | undefined> {
	if (pid === undefined) return undefined;
	const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
	const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
	return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}
