import {type FactRow, factsOf} from '../oracle/facts.ts';
import {type Edge, edgeOf, type HistoryOptions, randomCase} from '../oracle/histories.ts';
import type {UserPoints} from '../oracle/user-points.ts';
import type {WireFunnelRequest} from '../oracle/wire.ts';
import type {Fact} from './facts.ts';

/** How many random histories the funnel is held against the reference with; 10,000 by hand before a release. */
export const HISTORIES = Number(process.env.ORACLE_HISTORIES ?? 1000);
/** The first seed: another one asks other questions. */
export const FIRST_SEED = Number(process.env.ORACLE_SEED ?? 1);

/** Many histories of one time zone and season in one datamart, so that a statement asks of all of them at once. */
export interface Crowd {
	readonly datamartId: number;
	readonly timeZone: string;
	readonly nowMs: number;
	readonly seeds: readonly number[];
	readonly userPoints: UserPoints;
	/** Under the user point that survived. */
	readonly rows: readonly FactRow[];
	readonly requests: readonly WireFunnelRequest[];
	/** Of the history that each request was drawn with. */
	readonly requestSeeds: readonly number[];
	/** The seed of an activity's history. */
	seedOf(arrival: number): number;
}

export interface CrowdSize {
	readonly histories: number;
	readonly requests: number;
}

/** All that a funnel may be asked. */
export const DRAWN: HistoryOptions = {relative: true, segments: true};

const USUAL: CrowdSize = {histories: 100, requests: 8};

export function* crowdsOf(
	histories: number,
	firstSeed: number,
	options: HistoryOptions,
	size: CrowdSize = USUAL,
): Generator<Crowd> {
	let datamartId = 0;
	for (const seeds of seedsOfCrowds(histories, firstSeed, size.histories)) {
		datamartId += 1;
		yield crowdOf(datamartId, seeds, options, {requestSeeds: seeds.slice(0, size.requests)});
	}
}

/** Seeds whose histories happen at one edge, about so many at a time. */
export function seedsOfCrowds(histories: number, firstSeed: number, size: number): number[][] {
	const alike = new Map<Edge, number[]>();
	for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
		const edge = edgeOf(seed);
		const seeds = alike.get(edge);
		if (seeds) seeds.push(seed);
		else alike.set(edge, [seed]);
	}
	return [...alike.values()].flatMap(seeds => {
		const crowds = Math.ceil(seeds.length / (1.1 * size));
		const each = Math.ceil(seeds.length / crowds);
		return Array.from({length: crowds}, (_, nth) => seeds.slice(nth * each, (nth + 1) * each));
	});
}

/** The requests are those drawn with some histories, whether these are in the crowd or not. */
export function crowdOf(
	datamartId: number,
	seeds: readonly number[],
	options: HistoryOptions,
	{requestSeeds}: Pick<Crowd, 'requestSeeds'>,
): Crowd {
	const caseOf = (seed: number) => randomCase(seed, {...options, requests: 1, prefix: `h${seed}`});
	const cases = new Map(seeds.map(seed => [seed, caseOf(seed)]));
	const arrived = [...cases].flatMap(([seed, one]) => one.accepted.map((each, nth) => ({seed, each, nth})));
	// The first of every history, then the second of each: at any moment, most are half told.
	arrived.sort((a, b) => a.nth - b.nth);
	const {rows, userPoints} = factsOf(arrived.map(({each}) => each));
	const [first] = cases.values();
	return {
		datamartId,
		timeZone: first!.timeZone,
		nowMs: first!.nowMs,
		seeds,
		userPoints,
		rows,
		requests: requestSeeds.flatMap(seed => (cases.get(seed) ?? caseOf(seed)).requests),
		requestSeeds,
		seedOf: arrival => arrived[arrival]!.seed,
	};
}

/**
 * The tie holds arrival and event index, in that order; without a user point the fact is nobody's. `userPoint` is the id
 * it is stored under.
 */
export function asFact(row: FactRow, batch = 0, userPoint = idIn(row)): Fact {
	return {
		userPoint,
		batch,
		ts: row.ts,
		tie: tieOf(row),
		arrival: row.arrival,
		dimensions: row.dimensions,
		money: row.money,
		units: row.units,
	};
}

function idIn({userPoint}: FactRow): number {
	return userPoint === null ? 0 : userPointId(userPoint);
}

export function tieOf(row: FactRow): number {
	return row.arrival * 32 + row.eventIndex;
}

/** 0 means nobody among stored facts; the reference counts from 0. */
export function userPointId(userPoint: number): number {
	return userPoint + 1;
}
