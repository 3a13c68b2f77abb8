import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {open} from 'lmdb';
import {Journal} from '../../src/ingestion/journal/journal.ts';
import {type BenchOptions, type BenchResult, interleaved, median} from '../support/bench.ts';
import {singleActivity} from './activities.ts';

const IN_FLIGHT = [1, 64, 256] as const;
const PREPARED = 1_024;
/** What the journal stores beside the activity's text. */
const HEADER = Buffer.alloc(32);

type Put = (number: number) => Promise<unknown>;

/**
 * Where an accepted activity becomes durable: our journal (candidate) against puts into lmdb (baseline), each awaited
 * until it is on disk, with 1, 64 and 256 in flight. `rows` activities a run and 64 in flight in `raw`'s plain names;
 * with 1 in flight a sixteenth of them. Figures are ms per 1,000 activities.
 */
export async function bench({rows = 20_000, rounds = 5, say}: BenchOptions): Promise<BenchResult> {
	const directory = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
	const journal = await Journal.open({directory: join(directory, 'journal'), nextArrival: 1});
	// overlappingSync off: with it a put's promise resolves before the sync that makes it durable.
	const tree = open({
		path: join(directory, 'tree'),
		keyEncoding: 'binary',
		encoding: 'binary',
		overlappingSync: false,
	});
	const bodies = Array.from({length: PREPARED}, (_, number) =>
		Buffer.from(singleActivity(number, 1_760_000_000_000)),
	);
	const record = {datamartId: 1, defaultCompartmentId: 1, rows: 1, userAgent: ''};
	const append: Put = number =>
		journal.append([{...record, receivedMs: Date.now(), body: bodies[number % PREPARED]!}]);
	let key = 0;
	const put: Put = number => {
		const name = Buffer.alloc(8);
		name.writeBigUInt64BE(BigInt(++key));
		return tree.put(name, Buffer.concat([HEADER, bodies[number % PREPARED]!]));
	};
	try {
		const figures: Record<string, {readonly journal_ms: number[]; readonly lmdb_ms: number[]}> = {};
		for (const inFlight of IN_FLIGHT) {
			const count = inFlight === 1 ? Math.ceil(rows / 16) : rows;
			const times = await interleaved(
				{
					lmdb_ms: () => keepInFlight(put, count, inFlight),
					journal_ms: () => keepInFlight(append, count, inFlight),
				},
				rounds,
			);
			const perThousand = (runs: readonly number[]) => runs.map(ms => Math.round((ms * 1e5) / count) / 100);
			const one = {journal_ms: perThousand(times.journal_ms), lmdb_ms: perThousand(times.lmdb_ms)};
			figures[inFlight] = one;
			const rate = (runs: readonly number[]) => Math.round(1e6 / median(runs));
			say(`${inFlight} in flight: journal ${rate(one.journal_ms)}/s, lmdb ${rate(one.lmdb_ms)}/s`);
		}
		const plain = figures[64]!;
		return {
			ratio: Number((median(plain.journal_ms) / median(plain.lmdb_ms)).toFixed(3)),
			in_flight: figures,
			raw: {baseline_ms: plain.lmdb_ms, candidate_ms: plain.journal_ms, floor_ms: []},
		};
	} finally {
		await journal.close();
		await tree.close();
		await rm(directory, {recursive: true, force: true});
	}
}

async function keepInFlight(put: Put, count: number, inFlight: number): Promise<void> {
	let next = 0;
	const lane = async () => {
		while (next < count) await put(next++);
	};
	await Promise.all(Array.from({length: inFlight}, lane));
}
