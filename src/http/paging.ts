import {z} from 'zod';
import type {Page, Paging} from '../lib/page.ts';

const MAX_RESULTS = 500;
const count = z.coerce.number().int();

/** `first_result` (0) and `max_results` (50, at most 500): the query words of every list (decisions.md). */
export const PagingQuery = z.looseObject({
	first_result: count.min(0).default(0),
	max_results: count.min(1).max(MAX_RESULTS).default(50),
});

export function toPaging(query: z.output<typeof PagingQuery>): Paging {
	return {firstResult: query.first_result, maxResults: query.max_results};
}

/** The list envelope; `count` is this page's length, `total` the whole list's. */
export function okPage<Item>(page: Page<Item>, paging: Paging) {
	return {
		status: 'ok' as const,
		data: page.items,
		count: page.items.length,
		total: page.total,
		first_result: paging.firstResult,
		max_results: paging.maxResults,
	};
}

/** Cuts a list that is whole in memory. */
export function pageOf<Item>(items: readonly Item[], paging: Paging): Page<Item> {
	return {
		items: items.slice(paging.firstResult, paging.firstResult + paging.maxResults),
		total: items.length,
	};
}
