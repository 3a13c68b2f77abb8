import {LRUCache} from 'lru-cache';
import {compareIds, compareTexts} from '../../lib/texts.ts';
import type {ReportRow} from '../../query/report.schema.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import {liveContent, type ValueListQuestion} from './autocomplete.query.ts';
import {type CountedBatch, type CountsFeed, type Watched, watchedKey} from './counted.ts';
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

/**
 * A list that was asked for once; one that is being read, and the batches it does not know; one that is there, with what
 * it weighs; or one that is refused: it stays with the table.
 */
type Held = {readonly watched: Watched} & (
	| {readonly state: 'asked'}
	| {readonly state: 'read'; readonly missed: CountedBatch[]}
	| {readonly state: 'live'; readonly list: LiveList; readonly readMs: number; readonly bytes: number}
	| {readonly state: 'refused'}
);

const MOST_VALUES = 100_000;
/** In memory, of one list and of all. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_BYTES_OF_ALL = 3 * MOST_BYTES;
/** What a short one counts for: there are at most a thousand. */
const LEAST_BYTES = 100_000;
/** So much room to grow before it is weighed again, which makes it the one asked for last. */
const GROWTH = 1.25;
/** Of the texts of a list when it is read: they are parsed in one piece. */
const MOST_TEXT_BYTES = MOST_BYTES / 4;
/** Periods of one dimension: a batch is counted into each of them. */
const MOST_PERIODS = 8;
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
 * (docs/adr/0043), before anybody is told that the batch is there.
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
		if (isWorn(held) && !this.#isReading) {
			// Asked of the table this time, and read again behind it.
			this.#ask(key, held.watched);
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
	 * The table was asked. From the second time on the list is found soon, unless it is too long or cannot be read, or
	 * another one is being read: whoever asks again wants it again. Resolves once that is known.
	 */
	async want(question: ValueListQuestion): Promise<void> {
		const key = keyOf(question);
		if (!pageOf(question)) return;
		const watched = {datamartId: question.datamartId, dimension: question.listed.name};
		const state = this.#held.get(key)?.state;
		if (!state) this.#ask(key, watched);
		if (this.#isReading || state !== 'asked') return;
		this.#makeRoom(watched);
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
			if (this.#held.peek(key) === held) this.#refuse(key, watched, FAILED_MS);
		} finally {
			this.#isReading = false;
			await this.#watch();
		}
	}

	#ask(key: string, watched: Watched): void {
		this.#held.set(key, {watched, state: 'asked'}, {size: LEAST_BYTES});
	}

	/** The period of this dimension that was asked for least lately gives way. */
	#makeRoom(watched: Watched): void {
		const same = [...this.#held.entries()]
			.reverse()
			.filter(([, held]) => held.state === 'live' && watchedKey(held.watched) === watchedKey(watched));
		for (const [key] of same.slice(0, Math.max(0, same.length - MOST_PERIODS + 1))) this.#held.delete(key);
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

	/** As a new entry: the cache weighs no other. */
	#keep(key: string, watched: Watched, list: LiveList | undefined, readMs = performance.now()): void {
		const {mostValues = MOST_VALUES} = this.#options;
		if (!list || list.length > mostValues || list.bytes > MOST_BYTES) {
			this.#refuse(key, watched, IDLE_MS);
			return;
		}
		const bytes = Math.max(LEAST_BYTES, Math.ceil(list.bytes * GROWTH));
		this.#held.set(key, {watched, state: 'live', list, readMs, bytes}, {size: bytes, noUpdateTTL: true});
	}

	#refuse(key: string, watched: Watched, ttl: number): void {
		this.#held.set(key, {watched, state: 'refused'}, {size: LEAST_BYTES, ttl});
	}

	#count(batch: CountedBatch): void {
		this.#held.purgeStale();
		for (const [key, held] of [...this.#held.entries()]) {
			if (held.state === 'read') held.missed.push(batch);
			if (held.state !== 'live') continue;
			const {watched, list, readMs, bytes} = held;
			add(batch, watched, list);
			const {mostValues = MOST_VALUES} = this.#options;
			const isFull = list.bytes > bytes || list.length > mostValues;
			// What grew before it may have pushed it out.
			if (isFull && this.#held.peek(key) === held) this.#keep(key, watched, list, readMs);
		}
		void this.#watch();
	}

	/** The drain gathers nothing for lists that are gone. */
	#watch(): Promise<void> {
		const wanted = [...this.#held.values()].filter(({state}) => state === 'read' || state === 'live');
		const byKey = new Map(wanted.map(({watched}) => [watchedKey(watched), watched]));
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

function add({batchId, counted}: CountedBatch, watched: Watched, list: LiveList | undefined): void {
	const own = counted.filter(each => watchedKey(each) === watchedKey(watched));
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
