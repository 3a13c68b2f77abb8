/** Where a page of a list begins and how long it may be. */
export interface Paging {
	readonly firstResult: number;
	readonly maxResults: number;
}

/** One page and the whole list's length. */
export interface Page<Item> {
	readonly items: readonly Item[];
	readonly total: number;
}
