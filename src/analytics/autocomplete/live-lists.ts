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
	/** Longer lists are asked of the table; default 100,000 values. */
	readonly mostValues?: number;
}

/** What is known of a list: it is being read, too long, or there. */
interface Held {
	readonly watched: Watched;
	/** What was counted while it was being read. */
	readonly missed: CountedBatch[];
	list?: LiveList;
	isTooLong: boolean;
}

const MOST_VALUES = 100_000;
/** In memory, of one list and of all. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_BYTES_OF_ALL = 3 * MOST_BYTES;
/** What a short one counts for: there are at most a thousand. */
const LEAST_BYTES = 100_000;
/** Of the texts of one list, each of which may be there twice. */
const MOST_TEXT_BYTES = MOST_BYTES / 4;
/** Nobody has asked for so long: it is let go. */
const IDLE_MS = 600_000;
/** Pages further down than this are rare and are asked of the table. */
const FURTHEST = 1_000;
const DEADLINE_MS = 10_000;

/**
 * Lists of values that were asked for lately, in memory: read once, then told by the drain what each batch adds
 * (docs/adr/0043). A list is as new as the table it was read from, or newer.
 */
export class LiveLists {
	readonly #options: LiveListsOptions;
	readonly #held: LRUCache<string, Held>;
	#watched = '[]';
	#watching: Promise<void> = Promise.resolve();

	constructor(options: LiveListsOptions) {
		this.#options = options;
		this.#held = new LRUCache({maxSize: MOST_BYTES_OF_ALL, ttl: IDLE_MS});
		options.feed.onCounted(batch => this.#count(batch));
	}

	/** The report's rows; undefined where the table has to be asked. */
	find(question: ValueListQuestion): ReportRow[] | undefined {
		const page = pageOf(question);
		const key = keyOf(question);
		const {list} = this.#held.peek(key) ?? {};
		if (!page || !list) return undefined;
		this.#held.get(key, {updateAgeOnGet: true});
		const {dimension, listed, channelNames} = question;
		const named = dimension === listed ? list : list.renamed(channelNames, compareTexts);
		return named
			.first(page.until, page.matches)
			.slice(page.from)
			.map(value => ({dimensions: [value], metrics: [0]}));
	}

	/** From soon on it is found, unless the list is too long or cannot be read. Resolves once that is known. */
	async want(question: ValueListQuestion): Promise<void> {
		const key = keyOf(question);
		if (!pageOf(question) || this.#held.has(key)) return;
		const watched = {datamartId: question.datamartId, dimension: question.listed.name};
		const held: Held = {watched, missed: [], isTooLong: false};
		this.#held.set(key, held, {size: LEAST_BYTES});
		try {
			const list = await this.#read(question);
			const missed = held.missed.splice(0);
			if (list) for (const batch of missed) add(batch, watched, list);
			// Meanwhile others may have taken its place.
			if (this.#held.peek(key) === held) this.#keep(key, held, list);
		} catch {
			// Nobody waits for it: the table is asked as before, and whoever asks it wants the list again.
			this.#held.delete(key);
		}
		await this.#watch();
	}

	/** A batch that is not in what is read is told: it is watched before. Undefined where the list is too long. */
	async #read({datamartId, listed, days}: ValueListQuestion): Promise<LiveList | undefined> {
		const {warehouse, feed} = this.#options;
		await this.#watch();
		const limits = {mostValues: this.#mostValues, mostBytes: MOST_TEXT_BYTES};
		const asked = {datamartId, listed, days, instance: feed.instance, ...limits};
		const {rows} = await warehouse.read(liveContent, asked, {deadlineMs: DEADLINE_MS});
		const {is_long: isLong, values, facts, parts, batches} = rows[0]!;
		if (isLong) return undefined;
		const upTo = new Map(parts.map((part, at) => [part, batches[at]!]));
		const compare = listed.type === 'id' ? compareIds : compareTexts;
		const list = new LiveList({days, batches: upTo, compare});
		await list.fill(values, facts);
		return list;
	}

	#keep(key: string, held: Held, list: LiveList | undefined): void {
		if (!list || list.length > this.#mostValues || list.bytes > MOST_BYTES) {
			held.isTooLong = true;
			delete held.list;
			this.#held.set(key, held, {size: LEAST_BYTES, noUpdateTTL: true});
			return;
		}
		held.list = list;
		this.#held.set(key, held, {size: Math.max(LEAST_BYTES, list.bytes), noUpdateTTL: true});
	}

	#count(batch: CountedBatch): void {
		this.#held.purgeStale();
		for (const [key, held] of [...this.#held.entries()]) {
			const {list, isTooLong, missed, watched} = held;
			if (isTooLong) continue;
			if (!list) missed.push(batch);
			else {
				const {length} = list;
				add(batch, watched, list);
				if (list.length > length) this.#keep(key, held, list);
			}
		}
		void this.#watch();
	}

	/** The drain gathers nothing for lists that are gone. */
	#watch(): Promise<void> {
		const all = [...this.#held.values()].filter(({isTooLong}) => !isTooLong).map(({watched}) => watched);
		const told = JSON.stringify(all);
		if (told !== this.#watched) {
			this.#watched = told;
			this.#watching = this.#options.feed.watch(all);
		}
		return this.#watching;
	}

	get #mostValues(): number {
		return this.#options.mostValues ?? MOST_VALUES;
	}
}

function add({batchId, counted}: CountedBatch, {datamartId, dimension}: Watched, list: LiveList): void {
	const own = counted.filter(each => each.datamartId === datamartId && each.dimension === dimension);
	list.count(batchId, own);
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
