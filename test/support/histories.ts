import {type FactRow, factsOf} from '../oracle/facts.ts';
import {type HistoryOptions, randomCase} from '../oracle/histories.ts';
import type {AcceptedActivity, WireFunnelRequest} from '../oracle/wire.ts';
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
	readonly rows: readonly FactRow[];
	readonly facts: readonly Fact[];
	readonly requests: readonly WireFunnelRequest[];
}

export interface CrowdSize {
	readonly histories: number;
	readonly requests: number;
}

const USUAL: CrowdSize = {histories: 100, requests: 8};

export function crowdsOf(
	histories: number,
	firstSeed: number,
	options: HistoryOptions,
	size: CrowdSize = USUAL,
): Crowd[] {
	const alike = new Map<string, ReturnType<typeof randomCase>[]>();
	for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
		const one = randomCase(seed, {...options, requests: 1, prefix: `h${seed}`});
		const season = `${one.timeZone} ${Math.floor(one.nowMs / (40 * 86_400_000))}`;
		alike.set(season, [...(alike.get(season) ?? []), one]);
	}
	const crowds: Crowd[] = [];
	for (const cases of alike.values()) {
		for (let at = 0; at < cases.length; at += size.histories) {
			crowds.push(crowdOf(crowds.length + 1, cases.slice(at, at + size.histories), size.requests));
		}
	}
	return crowds;
}

function crowdOf(
	datamartId: number,
	cases: readonly ReturnType<typeof randomCase>[],
	requests: number,
): Crowd {
	const accepted: AcceptedActivity[] = cases.flatMap(one => one.accepted);
	const {rows} = factsOf(accepted);
	return {
		datamartId,
		timeZone: cases[0]!.timeZone,
		nowMs: Math.max(...cases.map(one => one.nowMs)),
		seeds: cases.map(one => one.seed),
		rows,
		facts: rows.map(asFact),
		requests: cases.flatMap(one => one.requests).slice(0, requests),
	};
}

/** The tie holds arrival and event index, in that order; without a user point the fact is nobody's. */
export function asFact(row: FactRow): Fact {
	return {
		userPoint: row.userPoint === null ? 0 : userPointId(row.userPoint),
		ts: row.ts,
		tie: tieOf(row),
		arrival: row.arrival,
		dimensions: row.dimensions,
		money: row.money,
		units: row.units,
	};
}

export function tieOf(row: FactRow): number {
	return row.arrival * 32 + row.eventIndex;
}

/** 0 means nobody among stored facts; the reference counts from 0. */
export function userPointId(userPoint: number): number {
	return userPoint + 1;
}
