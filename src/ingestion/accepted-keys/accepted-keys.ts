import path from 'node:path';
import {type Database as Index, open, type RootDatabase} from 'lmdb';
import {syncDirectory} from '../../lib/files.ts';
import type {JournalRecord} from '../journal/record.ts';

/** How long a key is remembered (semantics.md, Accepting an activity). */
export const KEY_LIFETIME_MS = 7 * 86_400_000;
/** Keys of one period share a table of their own, dropped whole once the next one is over as well. */
const PERIOD_MS = KEY_LIFETIME_MS;

/** A key somebody is just accepting an activity under; resolves to whether it was kept. */
interface InFlight {
	readonly request: object;
	readonly kept: Promise<boolean>;
}

/** Keys of an activity that is in the journal, with when it was accepted. */
interface Accepted {
	readonly keys: readonly Buffer[];
	readonly acceptedMs: number;
}

/** So many records of the journal are put in together at start. */
const FILL_AT_ONCE = 10_000;
/** Shorter than any key. */
const OPENED = Buffer.from('opened');

/**
 * Which keys (`$unique_key`, `Idempotency-Key`) this instance has accepted an activity under in the last 7 days.
 * The journal carries the keys and is the truth; this is an index beside it, written after the journal and filled from
 * what the journal still has at start. A key is never remembered for an activity that was not kept.
 */
export class AcceptedKeys {
	readonly #root: RootDatabase;
	readonly #periods = new Map<number, Index<Buffer, Buffer>>();
	readonly #inFlight = new Map<string, InFlight>();
	/** Being written, and what could not be: the journal alone has it until it is written after all. */
	readonly #writing = new Set<Promise<void>>();
	readonly #unwritten = new Set<Accepted>();
	readonly #now: () => number;

	private constructor(root: RootDatabase, now: () => number) {
		this.#root = root;
		this.#now = now;
	}

	static async open(directory: string, now: () => number = Date.now): Promise<AcceptedKeys> {
		const place = path.join(directory, 'accepted-keys');
		// The library's own default shows what is not on disk yet, and after a power cut opens its newest tree all the same
		// where the machine's boot id has not changed: the whole index may be gone then.
		const root = open({path: place, compression: false, maxDbs: 64, overlappingSync: false});
		await syncDirectory(place);
		await syncDirectory(directory);
		const keys = new AcceptedKeys(root, now);
		for (const name of [...root.getKeys()]) keys.#openPeriod(Number(name));
		await keys.#dropOldPeriods();
		return keys;
	}

	/** Whether an activity was kept under one of these keys less than 7 days ago. */
	has(keys: readonly Buffer[]): boolean {
		const now = this.#now();
		return keys.some(key =>
			[0, 1].some(back => {
				const value = this.#period(periodOf(now) - back)?.get(key);
				return value !== undefined && now - value.readDoubleLE(0) < KEY_LIFETIME_MS;
			}),
		);
	}

	/** Who else is just accepting under one of these keys. */
	inFlight(keys: readonly Buffer[]): InFlight | undefined {
		for (const key of keys) {
			const found = this.#inFlight.get(key.toString('latin1'));
			if (found) return found;
		}
		return undefined;
	}

	/** Takes the keys for `request` until `kept` tells whether its records are in the journal. */
	claim(keys: readonly Buffer[], request: object, kept: Promise<boolean>): void {
		const entry = {request, kept};
		for (const key of keys) this.#inFlight.set(key.toString('latin1'), entry);
		kept
			.then(is => (is ? this.remember(keys, this.#now()) : this.#forget(keys)))
			// The claim stays while the index cannot be written: in between nobody may find neither.
			.catch(() => {});
	}

	/** Resolves once they are on disk; what fails is tried again by `flushed`. */
	async remember(keys: readonly Buffer[], acceptedMs: number): Promise<void> {
		const accepted = {keys, acceptedMs};
		const writing = this.#write(accepted);
		this.#writing.add(writing);
		try {
			await writing;
		} catch (error) {
			this.#unwritten.add(accepted);
			throw error;
		} finally {
			this.#writing.delete(writing);
		}
	}

	#forget(keys: readonly Buffer[]): void {
		for (const key of keys) this.#inFlight.delete(key.toString('latin1'));
	}

	/** What the journal still has; the index may have missed its end. Resolves once all of it is on disk. */
	async rememberAll(records: AsyncIterable<Pick<JournalRecord, 'keys' | 'receivedMs'>>): Promise<void> {
		let together: Promise<void>[] = [];
		for await (const {keys = [], receivedMs} of records) {
			const period = this.#period(periodOf(receivedMs));
			const missing = keys.filter(key => period?.get(key) === undefined);
			if (missing.length > 0) together.push(this.remember(missing, receivedMs));
			if (together.length < FILL_AT_ONCE) continue;
			await Promise.all(together);
			together = [];
		}
		// One write at least: the last one of a process that was killed may be seen and not be on disk.
		await Promise.all([...together, this.remember([OPENED], this.#now())]);
	}

	/**
	 * Resolves once everything remembered so far is on disk: the journal may let go of it then. Rejects while something
	 * could not be written, after one more try.
	 */
	async flushed(): Promise<void> {
		// Whoever was just told that a record is in the journal has not come to its keys yet.
		await new Promise(resolve => setImmediate(resolve));
		await Promise.allSettled(this.#writing);
		await Promise.all([...this.#unwritten].map(accepted => this.#write(accepted)));
	}

	async close(): Promise<void> {
		await Promise.all([...this.#inFlight.values()].map(({kept}) => kept.catch(() => false)));
		await this.#root.close();
	}

	async #write(accepted: Accepted): Promise<void> {
		const {keys, acceptedMs} = accepted;
		const value = Buffer.alloc(8);
		value.writeDoubleLE(acceptedMs);
		const period = this.#period(periodOf(acceptedMs), true)!;
		await Promise.all(keys.map(key => period.put(key, value)));
		this.#unwritten.delete(accepted);
		this.#forget(keys);
	}

	/** The table of a period; made only for writing, and with it the oldest ones go. */
	#period(number: number, make = false): Index<Buffer, Buffer> | undefined {
		const period = this.#periods.get(number);
		if (period || !make) return period;
		this.#dropOldPeriods().catch(() => {});
		return this.#openPeriod(number);
	}

	#openPeriod(number: number): Index<Buffer, Buffer> {
		const period = this.#root.openDB<Buffer, Buffer>(String(number), {
			keyEncoding: 'binary',
			encoding: 'binary',
		});
		this.#periods.set(number, period);
		return period;
	}

	async #dropOldPeriods(): Promise<void> {
		const oldest = periodOf(this.#now()) - 1;
		for (const [number, period] of this.#periods) {
			if (number >= oldest) continue;
			this.#periods.delete(number);
			await period.drop();
		}
	}
}

function periodOf(ms: number): number {
	return Math.floor(ms / PERIOD_MS);
}
