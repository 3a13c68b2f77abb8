import path from 'node:path';
import {type Database as Index, open, type RootDatabase} from 'lmdb';
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

/**
 * Which keys (`$unique_key`, `Idempotency-Key`) this instance has accepted an activity under in the last 7 days.
 * The journal carries the keys and is the truth; this is an index beside it, written after the journal and filled from
 * what the journal still has at start. A key is never remembered for an activity that was not kept.
 */
export class AcceptedKeys {
	readonly #root: RootDatabase;
	readonly #periods = new Map<number, Index<Buffer, Buffer>>();
	readonly #inFlight = new Map<string, InFlight>();
	readonly #now: () => number;

	private constructor(root: RootDatabase, now: () => number) {
		this.#root = root;
		this.#now = now;
	}

	static async open(directory: string, now: () => number = Date.now): Promise<AcceptedKeys> {
		const root = open({path: path.join(directory, 'accepted-keys'), compression: false, maxDbs: 64});
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
				const value = this.#period(Math.floor(now / PERIOD_MS) - back)?.get(key);
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
		const names = keys.map(key => key.toString('latin1'));
		for (const name of names) this.#inFlight.set(name, entry);
		const forget = () => {
			for (const name of names) this.#inFlight.delete(name);
		};
		// In memory until the index has them: in between nobody may find neither.
		kept
			.then(is => (is ? this.remember(keys, this.#now()) : undefined))
			.then(forget, () => {
				// The index could not be written: the claim stays, and the journal fills the index at the next start.
			});
	}

	/** Resolves once a look-up finds them. */
	async remember(keys: readonly Buffer[], acceptedMs: number): Promise<void> {
		const value = Buffer.alloc(8);
		value.writeDoubleLE(acceptedMs);
		const period = this.#period(Math.floor(acceptedMs / PERIOD_MS), true)!;
		await Promise.all(keys.map(key => period.put(key, value)));
	}

	/** What the journal still has; the index may have missed its end. */
	async rememberAll(records: AsyncIterable<Pick<JournalRecord, 'keys' | 'receivedMs'>>): Promise<void> {
		let last: Promise<void> | undefined;
		for await (const {keys, receivedMs} of records) {
			if (keys) last = this.remember(keys, receivedMs);
		}
		await last;
	}

	/** Resolves once everything remembered so far is on disk: the journal may let go of it then. */
	async flushed(): Promise<void> {
		await this.#root.flushed;
	}

	async close(): Promise<void> {
		await Promise.all([...this.#inFlight.values()].map(({kept}) => kept.catch(() => false)));
		await this.#root.close();
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
		const oldest = Math.floor(this.#now() / PERIOD_MS) - 1;
		for (const [number, period] of this.#periods) {
			if (number >= oldest) continue;
			this.#periods.delete(number);
			await period.drop();
		}
	}
}
