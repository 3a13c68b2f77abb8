import {inspect, isDeepStrictEqual} from 'node:util';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {funnelReport, listFunnelChains} from '../../src/analytics/funnel/funnel.ts';
import {SplitWords} from '../../src/analytics/funnel/split-words.ts';
import type {Stretches} from '../../src/query/plan.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import {evaluateFunnel} from '../oracle/funnel.ts';
import {type Chance, chance} from '../oracle/random.ts';
import {positionOf} from './facts.ts';
import {type Crowd, tieOf} from './histories.ts';
import {expectedListing, randomListing, readListing} from './listings.ts';
import {storeCrowd} from './stored-crowd.ts';

/** Where engine and reference evaluator differ. */
export interface Difference {
	readonly what: 'numbers' | 'groups' | 'sample' | 'chains' | 'list';
	/** The history that the funnel was drawn with. */
	readonly requestSeed: number;
	/** Time zone, request and what was done with it. */
	readonly where: string;
	readonly answered: unknown;
	readonly expected: unknown;
}

export interface Comparison {
	readonly funnels: number;
	/** Reported chains that were compared, row by row. */
	readonly chains: number;
	readonly lists: number;
	readonly differences: readonly Difference[];
}

const labelOf = (dimension: string, value: string) =>
	dimension === 'CHANNEL_ID' && value !== '2' ? `channel ${value}` : undefined;

/** Asks the engine and the reference evaluator all funnels of a crowd: every number, group, chain, and a list each. */
export async function compareCrowd(warehouse: Warehouse, crowd: Crowd): Promise<Comparison> {
	const {datamartId, timeZone, nowMs} = crowd;
	const stored = await storeCrowd(warehouse, crowd);
	const {idOf} = stored;
	const present = stored.viewOf();
	const asSmall = {
		datamart: {id: datamartId, timeZone},
		warehouse,
		now: nowMs,
		labelOf,
		stored: stored.stored,
	};
	const words = new SplitWords(warehouse);
	const differences: Difference[] = [];
	const sums = {chains: 0, lists: 0};
	for (const [nth, drawn] of crowd.requests.entries()) {
		const requestSeed = crowd.requestSeeds[nth]!;
		const dice = chance(requestSeed);
		// Some are asked as of the end of an earlier batch.
		const accepted = dice.maybe(0.25) ? dice.pick(stored.borders) : undefined;
		const view = accepted === undefined ? present : stored.viewOf(accepted);
		const wire = accepted === undefined ? drawn : {...drawn, as_of: stored.asOf(accepted)};
		// Half of them are read as if there were much to read.
		const stretches = dice.maybe(0.5) ? randomStretches(dice, crowd, idOf) : undefined;
		const context = {...asSmall, ...(stretches && {stretches: {of: async () => stretches}, words})};
		const asked = `${timeZone}, ${accepted ?? 'all'} accepted${stretches ? `, in stretches from ${stretches.borders}` : ''}: ${JSON.stringify(drawn)}`;
		const hold = (what: Difference['what'], answered: unknown, expected: unknown, how = '') => {
			if (isDeepStrictEqual(answered, expected)) return;
			differences.push({what, requestSeed, where: `${how}${asked}`, ...onlyWhatDiffers(answered, expected)});
		};

		const expected = evaluateFunnel({...view, request: drawn, timeZone, nowMs, idOf, labelOf});
		const request = FunnelRequest.parse(wire);
		const funnel = await funnelReport(context, request);
		hold('numbers', funnel.global, expected.global);
		hold('groups', funnel.grouped_by, expected.grouped_by);
		hold('sample', funnel.sampling, expected.sampling);

		const chains = [...expected.chains]
			.map(([userPoint, chain]) => ({id: idOf(userPoint), chain}))
			.sort((a, b) => a.id - b.id);
		const positions = chains.map(({id, chain}) => ({
			user_point: String(id),
			positions: chain.map(row => positionOf(row.ts, tieOf(row))),
		}));
		hold('chains', await listFunnelChains(context, request), positions);
		sums.chains += positions.length;

		if ((drawn.sample_factor ?? 1) < 1) continue;
		const listing = randomListing(dice, drawn);
		const {list, asOf} = await readListing(context, wire, listing);
		hold('list', list, expectedListing(chains, drawn, listing), `${JSON.stringify(listing)} `);
		sums.lists += 1;

		if (accepted !== undefined || dice.maybe(0.8)) continue;
		const again = await funnelReport(context, FunnelRequest.parse({...drawn, as_of: asOf}));
		hold('numbers', again.global, expected.global, 'as of the list, ');
	}
	return {funnels: crowd.requests.length, ...sums, differences};
}

/** Borders anywhere among the user points: whoever was merged has rows on both sides of some. */
function randomStretches(
	dice: Chance,
	{userPoints}: Crowd,
	idOf: (userPoint: number) => number,
): Stretches | undefined {
	const ids = userPoints.atArrival.flatMap(userPoint => (userPoint === null ? [] : [idOf(userPoint)]));
	if (ids.length === 0) return undefined;
	const borders = new Set(Array.from({length: dice.whole(1, 3)}, () => dice.pick(ids)));
	return {borders: [...borders].sort((one, other) => one - other).map(String), threads: dice.whole(1, 2)};
}

/** Of two long lists only the entries that are not in both, by their text. */
function onlyWhatDiffers(answered: unknown, expected: unknown): Pick<Difference, 'answered' | 'expected'> {
	if (isList(answered) && isList(expected)) {
		const items = onlyWhatDiffers(answered.items, expected.items);
		return {answered: {...answered, items: items.answered}, expected: {...expected, items: items.expected}};
	}
	if (!Array.isArray(answered) || !Array.isArray(expected)) return {answered, expected};
	const texts = [answered, expected].map(
		list => new Map(list.map(each => [inspect(each, {depth: 9}), each])),
	);
	const [one, other] = texts as [Map<string, unknown>, Map<string, unknown>];
	const missing = (from: Map<string, unknown>, among: Map<string, unknown>) =>
		[...from].filter(([text]) => !among.has(text)).map(([, each]) => each);
	const differing = {answered: missing(one, other), expected: missing(other, one)};
	const sameEntries = differing.answered.length === 0 && differing.expected.length === 0;
	return sameEntries ? {answered, expected} : differing;
}

function isList(value: unknown): value is {readonly items: readonly unknown[]} {
	return typeof value === 'object' && value !== null && 'items' in value;
}
