import type {InstantRange} from '../../lib/days.ts';
import type {Dimension} from '../../query/dimensions.ts';
import {groupKeys} from '../../query/groups.ts';
import {SPANS, spanStart} from '../autocomplete/value-table.ts';
import type {FunnelRequest} from './funnel.schema.ts';
import type {FunnelContext} from './question.ts';
import {wordsIn} from './stretches.query.ts';

/** With more there is no room for their numbers in any mark. */
const MOST_WORDS = 1000;
const SPAN = SPANS[0];
const LAST_DAY = 2 ** 16 - 1;

/**
 * The words of the columns that a funnel is split by, from the table of values (docs/adr/0035): it may be behind the facts,
 * so whoever counts by them asks whether one was missing. Undefined where a column has many, or none. Errors: the warehouse's.
 */
export async function splitWords(
	{datamart, warehouse, read}: Pick<FunnelContext, 'datamart' | 'warehouse' | 'read'>,
	{fromMs, untilMs}: InstantRange,
	{steps}: Pick<FunnelRequest, 'steps'>,
): Promise<ReadonlyMap<Dimension, readonly string[]> | undefined> {
	const split = [...new Set(groupKeys(steps).map(key => key.dimension))].filter(({kind}) => kind !== 'time');
	if (split.length === 0 || split.some(({kind}) => kind !== 'single')) return undefined;
	// A day more at either end: local days lie across those of UTC.
	const day = (ms: number) => Math.min(Math.max(Math.floor(ms / 86_400_000) + 1, 0), LAST_DAY);
	const words = new Map<Dimension, readonly string[]>();
	for (const dimension of split) {
		const asked = {
			datamart_id: datamart.id,
			dimension: dimension.name,
			span: SPAN,
			from_day: spanStart(Math.max(day(fromMs) - 1, 0), SPAN),
			until_day: Math.min(day(untilMs) + 2, LAST_DAY),
			most: MOST_WORDS + 1,
		};
		const {rows} = await warehouse.read(wordsIn, asked, read);
		if (rows.length > MOST_WORDS) return undefined;
		// In order: equal questions are equal statements.
		words.set(dimension, rows.map(row => row.value).sort());
	}
	return words;
}
