import {z} from 'zod';
import type {Chain} from '../../query/chain.ts';
import type {Bindings} from '../../query/fragment.ts';
import {type GroupKey, groupKeys, groupSource, groupsOf, shardTail, valuesTail} from '../../query/groups.ts';
import {defineQuery} from '../../warehouse/define-query.ts';
import type {Shards, SqlFragment} from '../../warehouse/warehouse.ts';
import {type FunnelQuestion, ScopeParams, scopeParams, slotsOf} from './statement.query.ts';
import {sumColumns} from './sums.query.ts';

interface OnShards {
	readonly question: FunnelQuestion;
	readonly shards: Shards;
}

/**
 * The same sums where rows lie on many shards; undefined where every person's state has to travel: an exact median wants
 * all times, and a chain held by a value wants a person's rows of each value.
 */
export function onShards(question: FunnelQuestion, shards: Shards): SqlFragment | undefined {
	const {holding, timeToConvert} = question.request;
	if (holding || timeToConvert) return undefined;
	const scope = {...question.scope, stretches: undefined};
	return wholeAnswer.build({question: {...question, scope, apart: true}, shards});
}

const common = {
	name: 'funnel.steps',
	lane: 'heavy',
	params: ScopeParams,
	row: z.unknown(),
	toParams: ({question}: OnShards) => scopeParams(question),
} as const;

/** What one shard answers. */
const shardAnswer = defineQuery({
	...common,
	sql: 'analytics/funnel.sql',
	slots: ({question, shards}: OnShards) => {
		const slots = slotsOf(question, (chain, bindings) => {
			const keys = groupKeys(question.request.steps);
			const whole = keys.length > 0 ? 'grouping(in_group)' : '1';
			const values = keys.map((_, index) => `group_${index + 1}`).join(', ');
			const columns = [
				'sent',
				`${whole} AS whole`,
				`CAST([${values}], 'Array(String)') AS group_values`,
				...sumColumns(question, chain),
				...chain.partsOf('sent > 0'),
			];
			return {
				columns: columns.join(',\n    '),
				source: groupSource(keys, chain, question.dayStarts, bindings, sentOf(question)),
				tail: shardTail(keys),
			};
		});
		return {...slots, facts: slots.facts.replace('fact_rows_v1', shards.here('fact_rows_v1'))};
	},
});

const wholeAnswer = defineQuery({
	...common,
	sql: 'analytics/funnel-on-shards.sql',
	slots: (asked: OnShards) => {
		const {question, shards} = asked;
		const part = shardAnswer.build(asked);
		const keys = groupKeys(question.request.steps);
		const {levels, columns, source, tail, joined} = slotsOf(question, (chain, bindings) => ({
			columns: addedColumns(question, chain),
			source: countedSource(keys, chain, question, bindings),
			tail: valuesTail(keys, question.maxGroups),
			joined: chain.joinedParts().join(',\n            '),
		}));
		return {levels, columns, source, tail, joined, shards: {...part, text: shards.each(part.text)}};
	},
});

/** The person whose rows are sent, or 0. Whoever counts as of a moment may have been merged on since. */
function sentOf({scope}: FunnelQuestion): string {
	const merged = scope.resolveMerges
		? "dictHas('merged_people', user_point) OR dictHas('user_point_merges', user_point)"
		: 'false';
	return `(SELECT *, if(${merged}, user_point, toUInt64(0)) AS sent FROM chains)`;
}

function countedSource(
	keys: readonly GroupKey[],
	chain: Chain,
	{dayStarts}: FunnelQuestion,
	bindings: Bindings,
): string {
	const source = groupSource(keys, chain, dayStarts, bindings);
	return `(SELECT *, user_point = 0 AS told, ${groupsOf(keys)} AS groups FROM ${source})`;
}

/** What was told, and what people bring whose rows came together here. */
function addedColumns({request, amounts}: FunnelQuestion, chain: Chain): string {
	const list = (of: (step: number) => string) => request.steps.map((_, index) => of(index + 1)).join(', ');
	const added = (name: string, type: string, of: (step: number) => string) =>
		`sumForEach(if(told, told_${name}, CAST([${list(of)}], 'Array(${type})'))) AS ${name}`;
	const paid = (of: (step: number) => string) => (step: number) => (step === 1 || !amounts ? '0' : of(step));
	return [
		'sum(if(told, told_total, 1)) AS total',
		added('counts', 'UInt64', chain.reached),
		added('elapsed_ms', 'UInt64', step => `if(${chain.reached(step)}, ${chain.elapsedMs(step)}, 0)`),
		added('money', 'Int64', paid(chain.money)),
		added('units', 'Int64', paid(chain.units)),
	].join(',\n    ');
}
