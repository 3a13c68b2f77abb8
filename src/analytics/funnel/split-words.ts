import {LRUCache} from 'lru-cache';
import type {Dimension} from '../../query/dimensions.ts';
import {groupKeys} from '../../query/groups.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import {SPANS, spanStart} from '../autocomplete/value-table.ts';
import {hintsOf} from './hints.ts';
import type {FunnelQuestion} from './statement.query.ts';
import {wordsIn} from './stretches.query.ts';

/** Four steps over 45 days have room for 126. */
const MOST_WORDS = 254;
/** Of one column: they stand in the statement. */
const MOST_LETTERS = 10_000;
const SPAN = SPANS[0];
const LAST_DAY = 2 ** 16 - 1;
const LISTS = 10_000;
const KEPT_MS = 60_000;
/** A list that lacked a word may lack it for long: older facts that are not counted yet (docs/adr/0035). */
const DISTRUSTED_MS = 300_000;

interface Asked {
	readonly datamart_id: number;
	readonly dimension: string;
	readonly from_day: number;
	readonly until_day: number;
}

/** Undefined: not known, or too many. */
interface Known {
	readonly words: readonly string[] | undefined;
}

/**
 * The words of the columns that a funnel is split by, from the table of values (docs/adr/0035), remembered. They may be
 * behind the facts: whoever counts by them asks whether one was missing, and tells so (`distrust`).
 */
export class SplitWords {
	readonly #lists: LRUCache<string, Known, Asked>;

	constructor(warehouse: Warehouse) {
		this.#lists = new LRUCache<string, Known, Asked>({
			max: LISTS,
			ttl: KEPT_MS,
			fetchMethod: async (_key, _former, {context}) => ({words: await wordsOf(warehouse, context)}),
		});
	}

	/** By dimension; undefined where one of them has many words, none, or several values, or nobody would use them. */
	async of(question: FunnelQuestion): Promise<ReadonlyMap<Dimension, readonly string[]> | undefined> {
		const split = splitOf(question);
		if (!split) return undefined;
		const lists = await Promise.all(
			split.map(async dimension => {
				const asked = askedOf(dimension, question);
				return (await this.#lists.fetch(keyOf(asked), {context: asked}))?.words;
			}),
		);
		if (lists.some(words => words === undefined)) return undefined;
		return new Map(split.map((dimension, index) => [dimension, lists[index]!]));
	}

	/** A word was missing. */
	distrust(question: FunnelQuestion): void {
		for (const dimension of splitOf(question) ?? []) {
			this.#lists.set(keyOf(askedOf(dimension, question)), {words: undefined}, {ttl: DISTRUSTED_MS});
		}
	}
}

/** Windows and exclusions have marks of their own, without words. */
function splitOf({request: {steps, exclusions}}: FunnelQuestion): readonly Dimension[] | undefined {
	const split = [...new Set(groupKeys(steps).map(key => key.dimension))].filter(({kind}) => kind !== 'time');
	if (split.length === 0 || split.some(({kind}) => kind !== 'single')) return undefined;
	return exclusions.length > 0 || steps.some(step => step.windowMs !== undefined) ? undefined : split;
}

/** A day more at either end: local days lie across those of UTC. */
function askedOf(dimension: Dimension, {scope: {datamartId, range}}: FunnelQuestion): Asked {
	const day = (ms: number) => Math.min(Math.max(Math.floor(ms / 86_400_000) + 1, 0), LAST_DAY);
	return {
		datamart_id: datamartId,
		dimension: dimension.name,
		from_day: spanStart(Math.max(day(range.fromMs) - 1, 0), SPAN),
		until_day: Math.min(day(range.untilMs) + 2, LAST_DAY),
	};
}

async function wordsOf(warehouse: Warehouse, asked: Asked): Promise<readonly string[] | undefined> {
	const rows = await hintsOf(warehouse, wordsIn, {...asked, span: SPAN, most: MOST_WORDS + 1});
	// In order: equal questions are equal statements.
	const words = (rows ?? []).map(row => row.value).sort();
	if (words.length === 0 || words.length > MOST_WORDS || words.join('').length > MOST_LETTERS)
		return undefined;
	return words;
}

function keyOf({datamart_id, dimension, from_day, until_day}: Asked): string {
	return [datamart_id, dimension, from_day, until_day].join(' ');
}
