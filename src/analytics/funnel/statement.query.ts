import {z} from 'zod';
import {type Chain, chainOf, ROW_MS} from '../../query/chain.ts';
import type {Dimension} from '../../query/dimensions.ts';
import {areExclusive, oneOf} from '../../query/exclusive.ts';
import {clauseCondition, groupValue} from '../../query/filters.ts';
import {Bindings} from '../../query/fragment.ts';
import {heldOf} from '../../query/holding.ts';
import {positionAt, type QueryScope} from '../../query/plan.ts';
import type {Carried} from '../../query/word-codes.ts';
import type {FunnelRequest} from './funnel.schema.ts';

/** A funnel asked of one datamart and period. */
export interface FunnelQuestion {
	readonly scope: QueryScope;
	readonly request: FunnelRequest;
	/** False: counts and times only, which spares the money columns. */
	readonly amounts: boolean;
	/** Epoch ms at which the local days of the period start, in order; needed where a split or a chain is held by day. */
	readonly dayStarts: readonly number[];
	/** Most groups to answer, best first. */
	readonly maxGroups: number;
	/** By dimension, words of its column, all but the newest: of those that few values split by. */
	readonly words?: ReadonlyMap<Dimension, readonly string[]> | undefined;
	/** Rows of one person may be gathered in several places (`on-shards.query.ts`). */
	readonly apart?: boolean;
}

/** The statement's own values. */
export const ScopeParams = z.object({
	datamart_id: z.number(),
	from_position: z.string(),
	until_position: z.string(),
});

/** The last slots of `sql/analytics/funnel.sql`: what is answered of `chains`. */
export interface Answer {
	readonly columns: string;
	readonly source: string;
	readonly tail: string;
}

export function scopeParams({scope}: FunnelQuestion): z.input<typeof ScopeParams> {
	return {
		datamart_id: scope.datamartId,
		from_position: positionAt(scope.range.fromMs),
		until_position: positionAt(scope.range.untilMs),
	};
}

/** All slots of `sql/analytics/funnel.sql`: whatever is answered comes from the same scan, conditions and chains. */
export function slotsOf<More extends Answer>(
	question: FunnelQuestion,
	answerOf: (chain: Chain, bindings: Bindings) => More,
	how: {readonly unnamed?: boolean} = {},
) {
	const {scope, request} = question;
	const bindings = new Bindings();
	const steps = request.steps.map((step, index) => {
		const excluded = request.exclusions
			.filter(each => each.afterStep === index)
			.map(each => `(${clauseCondition(each.clause, scope, bindings)})`);
		return {
			condition: clauseCondition(step.clause, scope, bindings),
			oneOf: oneOf(step.clause),
			windowMs: step.windowMs,
			excludedSince: excluded.length > 0 ? excluded.join(' OR ') : undefined,
			carried: step.splitBy.flatMap(({dimension}) =>
				dimension.kind === 'time' ? [] : [carriedOf(dimension, question)],
			),
		};
	});
	const {holding, sampleFactor} = request;
	const chain = chainOf(steps, scope, bindings, {
		money: question.amounts,
		exclusive: areExclusive(request.steps.map(step => step.clause)),
		held: holding && heldOf(holding.dimension, question.dayStarts, ROW_MS, bindings),
		apart: question.apart,
		...how,
		hashBelow: sampleFactor < 1 ? BigInt(Math.floor(sampleFactor * 2 ** 64)) : undefined,
	});
	const {columns, ...more} = answerOf(chain, bindings);
	// All values sit beside one fragment: their names are the statement's own, whichever slot speaks of them.
	return {...chain.slots, ...more, columns: {text: columns, params: bindings.params}};
}

function carriedOf(dimension: Dimension, {words}: FunnelQuestion): Carried {
	const known = words?.get(dimension);
	return {text: groupValue(dimension), words: known && {column: dimension.column, known}};
}
