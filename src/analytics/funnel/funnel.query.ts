import {z} from 'zod';
import type {Chain} from '../../query/chain.ts';
import type {Dimension} from '../../query/dimensions.ts';
import {footprintOf} from '../../query/footprint.ts';
import {groupColumns, groupKeys, groupSource, groupTail} from '../../query/groups.ts';
import {defineQuery} from '../../warehouse/define-query.ts';
import type {FunnelRequest} from './funnel.schema.ts';
import {type FunnelQuestion, ScopeParams, scopeParams, slotsOf} from './statement.query.ts';
import {BUCKETS_FROM_S} from './time-to-convert.ts';

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
	slots: (question: FunnelQuestion) =>
		slotsOf(question, (chain, bindings) => {
			const keys = groupKeys(question.request.steps);
			return {
				columns: [...groupColumns(keys), ...sumColumns(question, chain)].join(',\n    '),
				source: groupSource(keys, chain, question.dayStarts, bindings),
				tail: groupTail(keys, question.maxGroups),
			};
		}),
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

function sumColumns({request, amounts}: FunnelQuestion, chain: Chain): string[] {
	const steps = request.steps.map((_, index) => index + 1);
	const list = (of: (step: number) => string) => `[${steps.map(of).join(', ')}]`;
	const paid = (of: (step: number) => string) =>
		list(step => (step === 1 || !amounts ? 'toInt64(0)' : `sum(${of(step)})`));
	const elapsed = steps.map(step => [chain.elapsedMs(step), chain.reached(step)] as const);
	const middle = (side: 'Low' | 'High', [ms, reached]: readonly [string, string]) =>
		`quantileExact${side}If(0.5)(${ms}, ${reached})`;
	const times = request.timeToConvert
		? [
				`[${elapsed.map(each => `[${middle('Low', each)}, ${middle('High', each)}]`).join(', ')}] AS middle_ms`,
				`[${elapsed.map(each => inBuckets(...each)).join(', ')}] AS in_buckets`,
			]
		: [];
	return [
		...times,
		'count() AS total',
		`${list(step => `countIf(${chain.reached(step)})`)} AS counts`,
		`${list(step => `sumIf(${chain.elapsedMs(step)}, ${chain.reached(step)})`)} AS elapsed_ms`,
		`${paid(chain.money)} AS money`,
		`${paid(chain.units)} AS units`,
	];
}

/** All that a funnel looks at. */
function dimensionsIn({steps, exclusions, holding}: FunnelRequest): Dimension[] {
	const clauses = [...steps, ...exclusions].map(each => each.clause);
	return [
		...clauses.flatMap(({filters}) => filters.map(each => each.dimension)),
		...steps.flatMap(({splitBy}) => splitBy.map(each => each.dimension)),
		...(holding ? [holding.dimension] : []),
	];
}

const BUCKETS_FROM_MS = `CAST([${BUCKETS_FROM_S.map(seconds => seconds * 1000).join(', ')}], 'Array(UInt64)')`;

function inBuckets(ms: string, reached: string): string {
	const bucket = `indexOf(${BUCKETS_FROM_MS}, roundDown(${ms}, ${BUCKETS_FROM_MS}))`;
	return `countIfResample(1, ${BUCKETS_FROM_S.length + 1}, 1)(${reached}, ${bucket})`;
}

function chainColumns({request}: FunnelQuestion, chain: Chain): string {
	const rows = request.steps.map(
		(_, index) => `if(${chain.reached(index + 1)}, ${chain.position(index + 1)}, 0)`,
	);
	return `toString(chains.user_point) AS user_point, arrayFilter(x -> x > 0, [${rows.join(', ')}]) AS positions`;
}
