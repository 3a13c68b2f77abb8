import {setTimeout as delay} from 'node:timers/promises';
import {percentile} from '../support/bench.ts';
import type {ServiceProgram} from '../support/service.ts';
import {strangersActivity} from './activities.ts';

/** A probe costs as much as hundreds of activities, and each look at a timeline as much again. */
const EVERY_MS = 1_000;
/** Of a loaded service nothing is there before this. */
const FIRST_LOOK_MS = 300;
/** The lag is this coarse. */
const POLL_MS = 200;
const PATIENCE_MS = 30_000;

export interface Lag {
	readonly probes: number;
	readonly p50_ms: number;
	readonly p95_ms: number;
	readonly max_ms: number;
}

/**
 * How long after its 200 an activity is on its person's timeline: one of somebody new every second, looked for until it is
 * there, from now until stopped.
 */
export function probeLag(service: ServiceProgram, name: string): {stop(): Promise<readonly number[]>} {
	const probes: Promise<number>[] = [];
	const timer = setInterval(() => {
		const found = probe(service, `${name}-lag`, probes.length + 1);
		// Whoever stops the probes is told; until then it is nobody's unhandled rejection.
		found.catch(() => {});
		probes.push(found);
	}, EVERY_MS);
	return {
		stop() {
			clearInterval(timer);
			return Promise.all(probes);
		},
	};
}

async function probe({client, datamart}: ServiceProgram, name: string, number: number): Promise<number> {
	const activity = strangersActivity(name, number, Date.now());
	const {status} = await client.post(`${datamart}/user_activities`, activity);
	if (status !== 200) throw new Error(`a probe was answered ${status}`);
	const answered = performance.now();
	const timeline = `${datamart}/user_timelines/user_agent_id=vec:new-${name}-${number}/user_activities`;
	for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = POLL_MS) {
		await delay(pauseMs);
		const answer = await client.get(timeline);
		const ms = performance.now() - answered;
		if (answer.status === 200 && answer.body.total === 1) return ms;
		if (ms > PATIENCE_MS) throw new Error(`a probe is not on its timeline after ${PATIENCE_MS} ms`);
	}
}

export function toLag(found: readonly number[]): Lag {
	const at = (share: number) => Math.round(percentile(found, share));
	return {probes: found.length, p50_ms: at(0.5), p95_ms: at(0.95), max_ms: at(1)};
}
