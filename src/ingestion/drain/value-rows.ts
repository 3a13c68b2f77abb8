import {LISTED, SPANS, spanStart} from '../../analytics/autocomplete/value-table.ts';
import type {LocalDay, LocalDays} from '../../lib/local-days.ts';
import {type Lists, Texts, type Words} from '../../lib/native/columns.ts';
import {NativeBlock} from '../../lib/native/native-block.ts';
import {TIE_BITS} from '../../query/plan.ts';
import type {FactBlock} from './blocks.ts';
import type {WatchedCounts} from './watched-values.ts';

const VALUE_SCHEMA = {
	datamart_id: 'UInt32',
	dimension: 'LowCardinality(String)',
	span: 'UInt16',
	local_day: 'UInt16',
	value: 'String',
	part: 'UInt32',
	facts: 'UInt64',
	last_batch: 'UInt64',
} as const;
export const VALUE_COLUMNS = Object.keys(VALUE_SCHEMA) as (keyof typeof VALUE_SCHEMA)[];
export type ValueBlock = NativeBlock<typeof VALUE_SCHEMA>;

const DAY_MS = 86_400_000;
const LATE_MS = 1100 * DAY_MS;

/** Facts that are counted together. */
interface Group {
	readonly datamartId: number;
	readonly part: number;
	readonly localDay: LocalDay;
}

export interface BatchToCount {
	readonly instance: number;
	readonly batchId: number;
	readonly daysOf: (datamartId: number) => LocalDays;
}

/** The partition of a fact (sql/clickhouse/schema/011). */
export function partOf(tsMs: number, receivedMs: number): number {
	const date = new Date(tsMs);
	const year = date.getUTCFullYear() * 100;
	return receivedMs - tsMs > LATE_MS ? year : year + date.getUTCMonth() + 1;
}

/**
 * Facts counted by value and day, with a mark of the batch in each partition that they lie in. `rows`: of these alone.
 * `watched` is told what it wants of them.
 */
export function countValues(
	facts: FactBlock,
	batch: BatchToCount,
	rows: Uint32Array | undefined,
	watched: WatchedCounts,
): ValueBlock {
	const {groups, groupOf} = grouped(facts, batch, rows);
	const block: ValueBlock = new NativeBlock(VALUE_SCHEMA, 1024);
	for (const {name, column, kind} of LISTED) {
		const values = facts.columns[column as keyof FactBlock['columns']];
		const counts = kind === 'multi' ? new ListCounts(values as Lists) : new WordCounts(values as Words);
		counts.add(groupOf, groups.length, rows);
		const tellOf = groups.map(group => watched.of(group, name));
		counts.each((group, value, count) => {
			pushCount(block, groups[group]!, name, value, count);
			tellOf[group]?.(value, count);
		});
	}
	for (const part of new Set(groups.map(group => group.part))) pushMark(block, part, batch);
	return block;
}

/** To which group each row belongs, in the order of the rows. */
function grouped({columns, rows: all}: FactBlock, {daysOf}: BatchToCount, rows?: Uint32Array) {
	const count = rows?.length ?? all;
	const groups: Group[] = [];
	const known = new Map<string, number>();
	const groupOf = new Uint32Array(count);
	let last = {datamartId: -1, minute: -1, isLate: false, group: -1};
	for (let at = 0; at < count; at++) {
		const row = rows ? rows[at]! : at;
		const datamartId = columns.datamart_id.at(row);
		const tsMs = columns.position.numberAt(row, TIE_BITS);
		const receivedMs = columns.received_ms.numberAt(row);
		// Clocks are put forward and back at full minutes.
		const minute = Math.floor(tsMs / 60_000);
		const isLate = receivedMs - tsMs > LATE_MS;
		if (datamartId !== last.datamartId || minute !== last.minute || isLate !== last.isLate) {
			const group = {datamartId, part: partOf(tsMs, receivedMs), localDay: daysOf(datamartId).of(tsMs)};
			const key = `${datamartId} ${group.part} ${group.localDay}`;
			let number = known.get(key);
			if (number === undefined) {
				number = groups.push(group) - 1;
				known.set(key, number);
			}
			last = {datamartId, minute, isLate, group: number};
		}
		groupOf[at] = last.group;
	}
	return {groups, groupOf};
}

type EachCount = (tell: (group: number, value: string, count: number) => void) => void;

interface Counts {
	add(groupOf: Uint32Array, groups: number, rows: Uint32Array | undefined): void;
	readonly each: EachCount;
}

/** By numbers: of a group and a word, both from 0 on. */
class NumberCounts {
	readonly #words: number;
	readonly #dense: Uint32Array | undefined;
	readonly #sparse = new Map<number, number>();

	/** `most`: how many are going to be added. */
	constructor(groups: number, words: number, most: number) {
		this.#words = words;
		if (groups * words <= 4 * most + 1024) this.#dense = new Uint32Array(groups * words);
	}

	add(group: number, word: number): void {
		const key = group * this.#words + word;
		if (this.#dense) this.#dense[key]! += 1;
		else this.#sparse.set(key, (this.#sparse.get(key) ?? 0) + 1);
	}

	each(tell: (group: number, word: number, count: number) => void): void {
		const all = this.#dense?.entries() ?? this.#sparse;
		for (const [key, count] of all) {
			if (count > 0) tell(Math.floor(key / this.#words), key % this.#words, count);
		}
	}
}

class WordCounts implements Counts {
	readonly #column: Words;
	#counts: NumberCounts | undefined;

	constructor(column: Words) {
		this.#column = column;
	}

	add(groupOf: Uint32Array, groups: number, rows: Uint32Array | undefined): void {
		const words = this.#column.words();
		// Nothing but rows without a value: so it is with most columns of most batches.
		if (words.every(word => word === '')) return;
		const counts = new NumberCounts(groups, words.length, groupOf.length);
		for (let at = 0; at < groupOf.length; at++) {
			counts.add(groupOf[at]!, this.#column.numberAt(rows ? rows[at]! : at));
		}
		this.#counts = counts;
	}

	each: EachCount = tell => {
		const words = this.#column.words();
		this.#counts?.each((group, word, count) => {
			if (words[word] !== '') tell(group, words[word]!, count);
		});
	};
}

/** A row counts once for each of its values, however often it has it. */
class ListCounts implements Counts {
	readonly #column: Lists;
	#counts: NumberCounts | undefined;
	#words: readonly string[] = [];

	constructor(column: Lists) {
		this.#column = column;
	}

	add(groupOf: Uint32Array, groups: number, rows: Uint32Array | undefined): void {
		const {values} = this.#column;
		if (values.length === 0) return;
		const {words, numberAt} = values instanceof Texts ? numbered(values) : ofWords(values);
		this.#words = words;
		const counts = new NumberCounts(groups, words.length, values.length);
		for (let at = 0; at < groupOf.length; at++) {
			const row = rows ? rows[at]! : at;
			const from = this.#column.endAt(row - 1);
			const to = this.#column.endAt(row);
			const seen = to - from > 1 ? new Set<number>() : undefined;
			for (let value = from; value < to; value++) {
				const word = numberAt(value);
				if (seen?.has(word)) continue;
				seen?.add(word);
				counts.add(groupOf[at]!, word);
			}
		}
		this.#counts = counts;
	}

	each: EachCount = tell => {
		this.#counts?.each((group, word, count) => {
			if (this.#words[word] !== '') tell(group, this.#words[word]!, count);
		});
	};
}

function ofWords(column: Words) {
	return {words: column.words(), numberAt: (row: number) => column.numberAt(row)};
}

function numbered(column: Texts) {
	const numbers = new Map<string, number>();
	const numberOf = Uint32Array.from({length: column.length}, (_, row) => {
		const text = column.textAt(row);
		let number = numbers.get(text);
		if (number === undefined) {
			number = numbers.size;
			numbers.set(text, number);
		}
		return number;
	});
	return {words: [...numbers.keys()], numberAt: (row: number) => numberOf[row]!};
}

function pushCount(
	{columns}: ValueBlock,
	group: Group,
	dimension: string,
	value: string,
	count: number,
): void {
	for (const span of SPANS) {
		columns.datamart_id.push(group.datamartId);
		columns.dimension.push(dimension);
		columns.span.push(span);
		columns.local_day.push(spanStart(group.localDay, span));
		columns.value.push(value);
		columns.part.push(group.part);
		columns.facts.push(count);
		columns.last_batch.push(0);
	}
}

function pushMark({columns}: ValueBlock, part: number, {instance, batchId}: BatchToCount): void {
	columns.datamart_id.push(0);
	columns.dimension.push('');
	columns.span.push(0);
	columns.local_day.push(0);
	columns.value.push(String(instance));
	columns.part.push(part);
	columns.facts.push(0);
	columns.last_batch.push(batchId);
}
