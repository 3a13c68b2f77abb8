import {LRUCache} from 'lru-cache';
import {compareIds, compareTexts} from '../../lib/texts.ts';
import type {ReportRow} from '../../query/report.schema.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import {liveContent, type ValueListQuestion} from './autocomplete.query.ts';
import type {CountedBatch, CountsFeed, Watched} from './counted.ts';
import {LiveList, type Match, matchOf} from './live-list.ts';

export interface LiveListsOptions {
	readonly warehouse: Warehouse;
	readonly feed: CountsFeed;
	/** Told why a list could not be read; it is asked of the table as before. */
	readonly onFault?: (error: unknown) => void;
	/** Longer lists are asked of the table; default 100,000 values. */
	readonly mostValues?: number;
	/** Of all lists, in memory; default 96 MiB. */
	readonly mostBytes?: number;
}

/** A list that is there; one that is being read, and the batches it does not know; or one that stays with the table. */
type Held = {readonly watched: Watched} & (
	| {readonly state: 'live'; readonly list: LiveList; readonly readMs: number}
	| {readonly state: 'read'; readonly missed: CountedBatch[]}
	| {readonly state: 'left'}
);

const MOST_VALUES = 100_000;
/** In memory, of one list and of all. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_BYTES_OF_ALL = 3 * MOST_BYTES;
/** What a short one counts for: there are at most a thousand. */
const LEAST_BYTES = 100_000;
/** Of the texts of a list when it is read: they are parsed in one piece. */
const MOST_TEXT_BYTES = 4 * 1024 * 1024;
/** Nobody has asked for so long: it is let go. One that is too long is tried again. */
const IDLE_MS = 600_000;
/** One that could not be read is tried again. */
const FAILED_MS = 60_000;
/** It is read again after so long, or once many values have come out of order. */
const WORN_MS = 3_600_000;
const MOST_UNORDERED = 0.25;
const FEW_UNORDERED = 2_000;
/** Pages further down than this are rare and are asked of the table. */
const FURTHEST = 1_000;
const READ = {deadlineMs: 10_000, maxMemoryBytes: 512 * 1024 * 1024};

/**
 * Lists of values that were asked for lately, in memory: read once, then told by the drain what each batch adds
 * (docs/adr/0043). A list is as new as the table it was read from, or newer.
 */
export class LiveLists {
	readonly #options: LiveListsOptions;
	readonly #held: LRUCache<string, Held>;
	#watched = '[]';
	#watching: Promise<void> = Promise.resolve();
	#isReading = false;

	constructor(options: LiveListsOptions) {
		this.#options = options;
		this.#held = new LRUCache({maxSize: options.mostBytes ?? MOST_BYTES_OF_ALL, ttl: IDLE_MS});
		options.feed.onCounted(batch => this.#count(batch));
	}

	/** In memory, about. */
	get bytes(): number {
		return this.#held.calculatedSize;
	}

	/** The report's rows; undefined where the table has to be asked. */
	find(question: ValueListQuestion): ReportRow[] | undefined {
		const page = pageOf(question);
		const key = keyOf(question);
		const held = this.#held.peek(key);
		if (!page || held?.state !== 'live') return undefined;
		if (isWorn(held)) {
			this.#held.delete(key);
			return undefined;
		}
		this.#held.get(key, {updateAgeOnGet: true});
		const {dimension, listed, channelNames} = question;
		const list = dimension === listed ? held.list : held.list.renamed(channelNames, compareTexts);
		return list
			.first(page.until, page.matches)
			.slice(page.from)
			.map(value => ({dimensions: [value], metrics: [0]}));
	}

	/**
	 * From soon on it is found, unless it is too long or cannot be read, or another one is being read: whoever asks again
	 * wants it again. Resolves once that is known.
	 */
	async want(question: ValueListQuestion): Promise<void> {
		const key = keyOf(question);
		if (this.#isReading || !pageOf(question) || this.#held.has(key)) return;
		const watched = {datamartId: question.datamartId, dimension: question.listed.name};
		const missed: CountedBatch[] = [];
		const held: Held = {watched, state: 'read', missed};
		this.#held.set(key, held, {size: LEAST_BYTES});
		this.#isReading = true;
		try {
			const list = await this.#read(question);
			for (const batch of missed) add(batch, watched, list);
			// Meanwhile others may have taken its place.
			if (this.#held.peek(key) === held) this.#keep(key, watched, list);
		} catch (error) {
			this.#options.onFault?.(error);
			if (this.#held.peek(key) === held) this.#leave(key, watched, FAILED_MS);
		}
		this.#isReading = false;
		await this.#watch();
	}

	/** A batch that is not in what is read is told: it is watched before. Undefined where the list is too long. */
	async #read({datamartId, listed, days}: ValueListQuestion): Promise<LiveList | undefined> {
		const {warehouse, feed, mostValues = MOST_VALUES} = this.#options;
		await this.#watch();
		const limits = {mostValues, mostBytes: MOST_TEXT_BYTES};
		const asked = {datamartId, listed, days, instance: feed.instance, ...limits};
		const {rows} = await warehouse.read(liveContent, asked, READ);
		const {is_long: isLong, values, facts, parts, batches} = rows[0]!;
		if (isLong) return undefined;
		const upTo = new Map(parts.map((part, at) => [part, batches[at]!]));
		const compare = listed.type === 'id' ? compareIds : compareTexts;
		const list = new LiveList({days, batches: upTo, compare});
		await list.fill(values, facts);
		return list;
	}

	/** Each time as a new entry: the cache weighs no other. */
	#keep(key: string, watched: Watched, list: LiveList | undefined, readMs = performance.now()): void {
		const {mostValues = MOST_VALUES} = this.#options;
		if (!list || list.length > mostValues || list.bytes > MOST_BYTES) {
			this.#leave(key, watched, IDLE_MS);
			return;
		}
		const size = Math.max(LEAST_BYTES, list.bytes);
		this.#held.set(key, {watched, state: 'live', list, readMs}, {size, noUpdateTTL: true});
	}

	#leave(key: string, watched: Watched, ttl: number): void {
		this.#held.set(key, {watched, state: 'left'}, {size: LEAST_BYTES, ttl});
	}

	#count(batch: CountedBatch): void {
		this.#held.purgeStale();
		for (const [key, held] of [...this.#held.entries()]) {
			if (held.state === 'read') held.missed.push(batch);
			if (held.state !== 'live') continue;
			const {watched, list, readMs} = held;
			const {length} = list;
			add(batch, watched, list);
			// What grew before it may have pushed it out.
			if (list.length > length && this.#held.peek(key) === held) this.#keep(key, watched, list, readMs);
		}
		void this.#watch();
	}

	/** The drain gathers nothing for lists that are gone. */
	#watch(): Promise<void> {
		const wanted = [...this.#held.values()].filter(({state}) => state !== 'left');
		const byKey = new Map(wanted.map(({watched}) => [JSON.stringify(watched), watched]));
		const told = JSON.stringify([...byKey.keys()].sort());
		if (told !== this.#watched) {
			this.#watched = told;
			this.#watching = this.#options.feed.watch([...byKey.values()]);
		}
		return this.#watching;
	}
}

function isWorn({list, readMs}: {readonly list: LiveList; readonly readMs: number}): boolean {
	const most = Math.max(FEW_UNORDERED, MOST_UNORDERED * list.length);
	return performance.now() - readMs > WORN_MS || list.unordered > most;
}

function add(
	{batchId, counted}: CountedBatch,
	{datamartId, dimension}: Watched,
	list: LiveList | undefined,
): void {
	const own = counted.filter(each => each.datamartId === datamartId && each.dimension === dimension);
	list?.count(batchId, own);
}

/** What of a list is asked for; undefined where only the table tells it. */
function pageOf({request}: ValueListQuestion): {from: number; until: number; matches: Match} | undefined {
	const from = request.firstResult;
	const until = from + request.maxResults;
	const matches = matchOf(request.clause);
	if (!matches || request.orderBy.length > 0 || until > FURTHEST) return undefined;
	return {from, until, matches};
}

function keyOf({datamartId, listed, days}: ValueListQuestion): string {
	return JSON.stringify([datamartId, listed.name, days]);
}
