import {type Loader, type LoadResult, startLoader} from '../ingestion/load.ts';
import {type BenchOptions, type BenchResult, median} from '../support/bench.ts';
import {type ServiceProgram, startService} from '../support/service.ts';
import {importFinalValues} from './executions.ts';

const CONNECTIONS = 32;
const CEILING_SECONDS = 3;
const SECONDS = 8;
const PATIENCE_MS = 120_000;

interface Round {
	readonly alone: LoadResult;
	readonly beside: LoadResult;
	/** Of each import that ended while the load ran, from POST to searchable. */
	readonly importMs: readonly number[];
}

/**
 * Single activities at half of the rate the service accepts at most, `rounds` times alone (baseline) and while files of
 * 100,000 final values are imported one behind the other (candidate): p99 of the answers in ms, and how much of the rate
 * was kept.
 */
export async function bench({rounds = 3, say}: BenchOptions): Promise<BenchResult> {
	const service = await startService();
	const loader = startLoader();
	try {
		const send = loadOf(service, loader);
		await send('warm', undefined, CEILING_SECONDS);
		const ceiling = await send('ceiling', undefined, CEILING_SECONDS);
		const ceilingPerSecond = ceiling.requests / ceiling.seconds;
		const perSecond = Math.floor(ceilingPerSecond / 2);
		say(`ceiling ${Math.round(ceilingPerSecond)}/s, so ${perSecond}/s`);
		await importFinalValues(service);
		const measured: Round[] = [];
		for (let round = 1; round <= rounds; round++) {
			await service.untilDrained(PATIENCE_MS);
			const alone = await send(`alone${round}`, perSecond, SECONDS);
			await service.untilDrained(PATIENCE_MS);
			measured.push({alone, ...(await beside(service, () => send(`beside${round}`, perSecond, SECONDS)))});
			say(JSON.stringify(toldOf(measured.at(-1)!, perSecond), undefined, 2));
		}
		const p99 = (of: 'alone' | 'beside') => measured.map(round => Math.round(round[of].p99Ms * 10) / 10);
		return {
			ratio: Number((median(p99('beside')) / median(p99('alone'))).toFixed(3)),
			ceiling_per_s: Math.round(ceilingPerSecond),
			load_per_s: perSecond,
			rounds: measured.map(round => toldOf(round, perSecond)),
			raw: {
				baseline_ms: p99('alone'),
				candidate_ms: p99('beside'),
				floor_ms: measured.map(({alone}) => alone.p50Ms),
				import_ms: measured.flatMap(({importMs}) => importMs),
			},
		};
	} finally {
		loader.stop();
		await service.stop();
	}
}

function loadOf(service: ServiceProgram, loader: Loader) {
	const url = `${service.url}${service.datamart}/user_activities`;
	return async (name: string, perSecond: number | undefined, seconds: number): Promise<LoadResult> => {
		const result = await loader.run({
			url,
			token: service.token,
			connections: CONNECTIONS,
			name,
			activitiesPerRequest: 1,
			seconds,
			...(perSecond !== undefined && {perSecond}),
		});
		if (result.failures > 0) throw new Error(`${result.failures} of ${name} failed`);
		return result;
	};
}

/** Imports run for as long as the load does. */
async function beside(
	service: ServiceProgram,
	load: () => Promise<LoadResult>,
): Promise<Omit<Round, 'alone'>> {
	let isOver = false;
	const loading = load().finally(() => {
		isOver = true;
	});
	// Its failure is told of below.
	loading.catch(() => {});
	const importMs: number[] = [];
	while (!isOver) importMs.push(Math.round(await importFinalValues(service)));
	return {beside: await loading, importMs};
}

function toldOf({alone, beside: loaded, importMs}: Round, perSecond: number) {
	const share = ({requests, seconds}: LoadResult) => Number((requests / seconds / perSecond).toFixed(3));
	return {
		rate_kept: {alone: share(alone), beside: share(loaded)},
		p50_ms: {alone: alone.p50Ms, beside: loaded.p50Ms},
		p99_ms: {alone: alone.p99Ms, beside: loaded.p99Ms},
		p99_ratio: Number((loaded.p99Ms / alone.p99Ms).toFixed(2)),
		import_ms: importMs,
	};
}
