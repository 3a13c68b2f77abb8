// The load generator: one load at a time, told and answered over the channel to the process that started it.
import autocannon, {type Request} from 'autocannon';
import {percentile} from '../support/bench.ts';
import {BATCH_MARKER, singleActivity, strangersActivity, visit, visitOf} from './activities.ts';
import type {Load, LoadResult} from './load.ts';

/** Prepared single activities, shared out over the connections. */
const PREPARED = 8_192;
/** One in so many is of somebody new. */
const NEW_EVERY = 32;

process.on('message', (load: Load) => {
	run(load).then(
		result => process.send!(result),
		error => process.send!({error: String(error)}),
	);
});
process.once('disconnect', () => process.exit(0));

async function run(load: Load): Promise<LoadResult> {
	let connection = 0;
	const bodies = load.activitiesPerRequest === 1 ? singles(load) : batches(load);
	const cannon = autocannon({
		url: load.url,
		method: 'POST',
		headers: {'content-type': 'application/json', authorization: `Bearer ${load.token}`},
		connections: load.connections,
		...(load.requests === undefined ? {duration: load.seconds!} : {amount: load.requests}),
		...(load.perSecond !== undefined && {overallRate: load.perSecond}),
		sampleInt: 100,
		timeout: 30,
		setupClient: client => client.setRequests(bodies(connection++)),
	});
	const began = performance.now();
	let last = began;
	const times: number[] = [];
	cannon.on('response', (_client, _status, _bytes, ms: number) => {
		times.push(ms);
		last = performance.now();
	});
	const result = await cannon;
	return {
		requests: result['2xx'],
		seconds: (last - began) / 1000,
		failures: result.non2xx + result.errors,
		p50Ms: percentile(times, 0.5),
		p99Ms: percentile(times, 0.99),
		maxMs: times.reduce((longest, ms) => Math.max(longest, ms), 0),
	};
}

type Bodies = (connection: number) => readonly Request[];

/** Each connection repeats a share of the prepared ones; now and then somebody new comes. */
function singles({name, connections}: Load): Bodies {
	const share = Math.max(NEW_EVERY, Math.floor(PREPARED / connections));
	const atMs = Date.now() - 60_000;
	let strangers = 0;
	return connection =>
		Array.from({length: share}, (_, index): Request => {
			const number = (connection * share + index) % PREPARED;
			if (index % NEW_EVERY !== 0) return {body: singleActivity(number, atMs)};
			return {
				setupRequest: request => ({...request, body: strangersActivity(name, ++strangers, Date.now())}),
			};
		});
}

function batches({name, activitiesPerRequest}: Load): Bodies {
	let number = 0;
	const batch = () => {
		const atMs = Date.now() - 60_000;
		const texts = [visitOf(BATCH_MARKER, number, atMs)];
		while (texts.length < activitiesPerRequest) texts.push(visit(name, ++number, atMs, NEW_EVERY));
		return `[${texts.join(',')}]`;
	};
	return () => [{setupRequest: request => ({...request, body: batch()})}];
}
