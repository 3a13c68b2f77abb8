import type {Knex} from 'knex';
import type {Page, Paging} from '../lib/page.ts';

/** One page of a query, in order of id (newest first where asked), and the length of the whole list. */
export async function selectPage<Row, Item>(
	query: Knex.QueryBuilder,
	idColumn: string,
	{firstResult, maxResults}: Paging,
	fromRow: (row: Row) => Item,
	order: 'asc' | 'desc' = 'asc',
): Promise<Page<Item>> {
	const [counted] = await query.clone().clearSelect().count({total: '*'});
	const rows: Row[] = await query.clone().orderBy(idColumn, order).offset(firstResult).limit(maxResults);
	return {items: rows.map(fromRow), total: counted.total};
}

/** Rows whose column contains the words, ignoring case; the words are text, not a pattern. */
export function containing(query: Knex.QueryBuilder, column: string, keywords: string | undefined): void {
	if (keywords) query.whereRaw('position(lower(?) in lower(??)) > 0', [keywords, column]);
}
