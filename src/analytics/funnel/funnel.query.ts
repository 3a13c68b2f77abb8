import {z} from 'zod';
import type {Chain} from '../../query/chain.ts';
import type {Dimension} from '../../query/dimensions.ts';
import {footprintOf} from '../../query/footprint.ts';
import {groupColumns, groupKeys, groupSource, groupTail} from '../../query/groups.ts';
import {defineQuery} from '../../warehouse/define-query.ts';
import type {FunnelRequest} from './funnel.schema.ts';
import {onShards} from './on-shards.query.ts';
import {type FunnelQuestion, ScopeParams, scopeParams, slotsOf} from './statement.query.ts';
import {sumColumns} from './sums.query.ts';

const Numbers = z.array(z.coerce.bigint());

/** Index i is step i + 1; ms, and money and units in 1/10,000, are sums over those who reached the step. */
export const StepSums = z.object({
	/** 1: all user points; 0: one group. */
	whole: z.coerce.number(),
	/** '' where the row has no value; a day as the epoch ms of its start, zero-padded. */
	group_values: z.array(z.string()),
	total: z.coerce.bigint(),
	counts: Numbers,
	elapsed_ms: Numbers,
	money: Numbers,
	units: Numbers,
	/** Where `time_to_convert` is asked for, as `Times` has them. */
	middle_ms: z.array(z.tuple([z.coerce.bigint(), z.coerce.bigint()])).optional(),
	in_buckets: z.array(Numbers).optional(),
	/** How many user points are in a group that cannot be told, since a word of theirs is newer than the question's. */
	unknown_words: z.coerce.number().optional(),
});
export type StepSums = z.output<typeof StepSums>;

/** One statement: counts, times, units and money of every step, over all user points and over the best groups. */
export const funnelSteps = defineQuery({
	name: 'funnel.steps',
	lane: 'heavy',
	sql: 'analytics/funnel.sql',
	params: ScopeParams,
	row: StepSums,
	footprint: ({scope, request}: FunnelQuestion) => footprintOf(scope, dimensionsIn(request)),
	toParams: scopeParams,
	onShards,
	slots: (question: FunnelQuestion) =>
		slotsOf(
			question,
			(chain, bindings) => {
				const keys = groupKeys(question.request.steps);
				return {
					columns: [...groupColumns(keys, chain), ...sumColumns(question, chain)].join(',\n    '),
					source: groupSource(keys, chain, question.dayStarts, bindings),
					tail: groupTail(keys, question.maxGroups),
				};
			},
			{unnamed: true},
		),
});

export const UserPointChain = z.object({user_point: z.string(), positions: z.array(z.coerce.bigint())});
export type UserPointChain = z.output<typeof UserPointChain>;

/** Every user point's reported chain: the positions of its rows, none for those that never entered. */
export const funnelChains = defineQuery({
	name: 'funnel.chains',
	lane: 'heavy',
	sql: 'analytics/funnel.sql',
	params: ScopeParams,
	row: UserPointChain,
	toParams: scopeParams,
	slots: (question: FunnelQuestion) =>
		slotsOf({...question, amounts: false}, chain => ({
			columns: chainColumns(question, chain),
			source: 'chains',
			tail: 'ORDER BY chains.user_point',
		})),
});

/** All that a funnel looks at. */
function dimensionsIn({steps, exclusions, holding}: FunnelRequest): Dimension[] {
	const clauses = [...steps, ...exclusions].map(each => each.clause);
	return [
		...clauses.flatMap(({filters}) => filters.map(each => each.dimension)),
		...steps.flatMap(({splitBy}) => splitBy.map(each => each.dimension)),
		...(holding ? [holding.dimension] : []),
	];
}

function chainColumns({request}: FunnelQuestion, chain: Chain): string {
	const rows = request.steps.map(
		(_, index) => `if(${chain.reached(index + 1)}, ${chain.position(index + 1)}, 0)`,
	);
	return `toString(chains.user_point) AS user_point, arrayFilter(x -> x > 0, [${rows.join(', ')}]) AS positions`;
}
