import type {z} from 'zod';
import {pagingOf, UserPointsRequest} from '../../src/analytics/funnel/user-points.schema.ts';
import {funnelUserPointsPage} from '../../src/analytics/funnel/user-points.ts';
import type {FactRow} from '../oracle/facts.ts';
import type {Chance} from '../oracle/random.ts';
import type {WireFunnelRequest} from '../oracle/wire.ts';

/** Which user points of a funnel to list, and how to read the list. */
export interface Listing {
	readonly step: number | string;
	readonly lost: boolean;
	readonly first: number;
	readonly perPage: number;
	/** Read by cursor, one after the other. */
	readonly mostPages: number;
}

const WHOLE = {first: 0, perPage: 1_000_000, mostPages: 1};

export function randomListing(dice: Chance, {for: steps}: WireFunnelRequest): Listing {
	const step = dice.whole(1, steps.length);
	return {
		step: dice.maybe(0.2) ? steps[step - 1]!.name : step,
		lost: dice.maybe(0.5),
		...(dice.maybe(0.6)
			? WHOLE
			: {first: dice.pick([0, 0, 1, 20]), perPage: dice.pick([1, 3, 50, 500]), mostPages: 3}),
	};
}

type Context = Parameters<typeof funnelUserPointsPage>[0];

/** What the pages tell, and the moment they are told of. */
export async function readListing(
	context: Context,
	wire: object,
	{first, perPage, mostPages, ...of}: Listing,
) {
	const totals: number[] = [];
	const items: unknown[] = [];
	let cursor: string | null = null;
	let asOf = '';
	for (let page = 0; page < mostPages && (page === 0 || cursor !== null); page++) {
		const goOn = cursor === null ? {first_result: first} : {cursor};
		const request: z.output<typeof UserPointsRequest> = UserPointsRequest.parse({...wire, ...of, ...goOn});
		const told = await funnelUserPointsPage(context, request, pagingOf(request, {max_results: perPage}));
		totals.push(told.total);
		items.push(...told.items);
		({cursor, asOf} = told);
	}
	return {list: {totals: [...new Set(totals)], ended: cursor === null, items}, asOf};
}

/** The same from the reported chains, in order of their user points. */
export function expectedListing(
	chains: readonly {readonly id: number; readonly chain: readonly FactRow[]}[],
	{for: steps}: WireFunnelRequest,
	{step: asked, lost, first, perPage, mostPages}: Listing,
) {
	const step = typeof asked === 'number' ? asked : steps.findIndex(({name}) => name === asked) + 1;
	const members = chains.filter(({chain}) => (lost ? chain.length === step - 1 : chain.length >= step));
	const end = first + perPage * mostPages;
	return {
		totals: [members.length],
		ended: end >= members.length,
		items: members.slice(first, end).map(({id, chain}) => ({
			user_point_id: String(id),
			reached_step: chain.length,
			ts: chain[lost ? step - 2 : step - 1]?.ts ?? null,
		})),
	};
}
