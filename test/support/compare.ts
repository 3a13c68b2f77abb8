import {isDeepStrictEqual} from 'node:util';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {funnelReport, listFunnelChains} from '../../src/analytics/funnel/funnel.ts';
import {UserPointsRequest} from '../../src/analytics/funnel/user-points.schema.ts';
import {funnelUserPointsPage} from '../../src/analytics/funnel/user-points.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import type {FactRow} from '../oracle/facts.ts';
import {evaluateFunnel} from '../oracle/funnel.ts';
import {chance} from '../oracle/random.ts';
import {insertFacts, positionOf} from './facts.ts';
import {type Crowd, tieOf, userPointId} from './histories.ts';

/** Where engine and reference evaluator differ. */
export interface Difference {
	readonly what: 'numbers' | 'groups' | 'sample' | 'chains' | 'list';
	/** Seeds, time zone and request: enough to ask again. */
	readonly where: string;
	readonly answered: unknown;
	readonly expected: unknown;
}

export interface Comparison {
	readonly funnels: number;
	/** Reported chains that were compared, row by row. */
	readonly chains: number;
	readonly differences: readonly Difference[];
}

const STORED = {instance: 1, storedBefore: 1, whenQueryable: async () => {}};
const MOST_LISTED = 1_000_000;

/** Asks the engine and the reference evaluator all funnels of a crowd: every number, group, chain, and a list each. */
export async function compareCrowd(warehouse: Warehouse, crowd: Crowd): Promise<Comparison> {
	const {datamartId, timeZone, nowMs, rows, seeds} = crowd;
	await insertFacts(warehouse, datamartId, crowd.facts);
	const context = {datamart: {id: datamartId, timeZone}, warehouse, now: nowMs, resolveMerges: false};
	const differences: Difference[] = [];
	let compared = 0;
	for (const [nth, wire] of crowd.requests.entries()) {
		const where = `seeds ${seeds.join(',')} in ${timeZone}: ${JSON.stringify(wire)}`;
		const hold = (what: Difference['what'], answered: unknown, expected: unknown) => {
			if (!isDeepStrictEqual(answered, expected)) differences.push({what, where, answered, expected});
		};
		const expected = evaluateFunnel({rows, request: wire, timeZone, nowMs, idOf: userPointId});
		const request = FunnelRequest.parse(wire);

		const funnel = await funnelReport(context, request);
		hold('numbers', funnel.global, expected.global);
		hold('groups', funnel.grouped_by, expected.grouped_by);
		hold('sample', funnel.sampling, expected.sampling);

		const chains = [...expected.chains]
			.map(([userPoint, chain]) => ({id: userPointId(userPoint), chain}))
			.sort((a, b) => a.id - b.id);
		const positions = chains.map(({id, chain}) => ({
			user_point: String(id),
			positions: chain.map(row => positionOf(row.ts, tieOf(row))),
		}));
		hold('chains', await listFunnelChains(context, request), positions);
		compared += positions.length;

		if ((wire.sample_factor ?? 1) < 1) continue;
		const dice = chance(datamartId * 100 + nth);
		const asked = {step: dice.whole(1, wire.for.length), lost: dice.maybe(0.5)};
		const list = await funnelUserPointsPage(
			{...context, stored: STORED},
			UserPointsRequest.parse({...wire, ...asked}),
			{firstResult: 0, maxResults: MOST_LISTED},
		);
		hold('list', [list.total, list.items], listed(chains, asked));
	}
	return {funnels: crowd.requests.length, chains: compared, differences};
}

function listed(
	chains: readonly {readonly id: number; readonly chain: readonly FactRow[]}[],
	{step, lost}: {readonly step: number; readonly lost: boolean},
) {
	const members = chains.filter(({chain}) => (lost ? chain.length === step - 1 : chain.length >= step));
	const items = members.map(({id, chain}) => ({
		user_point_id: String(id),
		reached_step: chain.length,
		ts: chain[lost ? step - 2 : step - 1]?.ts ?? null,
	}));
	return [items.length, items];
}
