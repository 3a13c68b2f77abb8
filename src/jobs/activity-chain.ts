import type {ActivityChainData, Analysed, Analysis} from '../../workers/activity-chain.ts';
import {JobPool} from './pool.ts';

/** A thread holds as many as wait for plugin workers at once: one that hangs occupies none. */
const AT_ONCE = 100_000;
const IDLE_MS = 10 * 60_000;
/** As the main thread's: what waits for an answer is gone before it is collected. */
const YOUNG_MB = 192;

export interface ActivityChainJobs {
	run(analysis: Analysis): Promise<Analysed>;
	close(): Promise<void>;
}

/** Activities go through their analyzers in a thread of their own, so that no answer of a stranger holds up a door. */
export function activityChainJobs(data: ActivityChainData): ActivityChainJobs {
	const pool = new JobPool<Analysis, Analysed>({
		job: 'activity-chain',
		threads: 1,
		atOnce: AT_ONCE,
		idleMs: IDLE_MS,
		youngMb: YOUNG_MB,
		data,
	});
	return {run: analysis => pool.run(analysis), close: () => pool.close()};
}
