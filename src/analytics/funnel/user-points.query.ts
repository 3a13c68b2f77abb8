import {z} from 'zod';
import type {Chain} from '../../query/chain.ts';
import type {Bindings} from '../../query/fragment.ts';
import {defineQuery} from '../../warehouse/define-query.ts';
import {type FunnelQuestion, ScopeParams, scopeParams, slotsOf} from './statement.query.ts';

/** Some of the user points behind a step's count. */
export interface UserPointsQuestion {
	readonly question: FunnelQuestion;
	/** From 1. */
	readonly step: number;
	/** Those who reached the step before and not this one; of the first step, those who never entered. */
	readonly lost: boolean;
	/** Only user points above this one, in decimal digits. */
	readonly after: string;
	readonly skip: number;
	readonly take: number;
}

/** All of them are counted, those asked for are listed by ascending id. */
export const funnelUserPoints = defineQuery({
	name: 'funnel.userPoints',
	lane: 'heavy',
	sql: 'analytics/funnel.sql',
	params: ScopeParams,
	row: z.object({
		total: z.coerce.number(),
		/** Id, the deepest step reached, epoch ms of the row told of; 0 where none was. */
		user_points: z.array(z.tuple([z.string(), z.coerce.number(), z.coerce.number()])),
	}),
	toParams: ({question}: UserPointsQuestion) => scopeParams(question),
	slots: (asked: UserPointsQuestion) =>
		slotsOf({...asked.question, amounts: false}, (chain, bindings) => ({
			columns: pageColumns(asked, bindings),
			source: membersSource(asked, chain),
			tail: '',
		})),
});

function membersSource({question, step, lost}: UserPointsQuestion, chain: Chain): string {
	const told = lost ? step - 1 : step;
	const depth = question.request.steps.map((_, index) => `(${chain.reached(index + 1)})`).join(' + ');
	const ms = told === 0 ? 'toUInt64(0)' : chain.instantMs(told);
	const before = step === 1 ? 'true' : chain.reached(step - 1);
	const member = lost ? `${before} AND NOT (${chain.reached(step)})` : chain.reached(step);
	return `(SELECT user_point, ${depth} AS depth, ${ms} AS told_ms FROM chains WHERE ${member})`;
}

function pageColumns({after, skip, take}: UserPointsQuestion, bindings: Bindings): string {
	const entry = 'tuple(user_point, toUInt8(depth), toUInt64(told_ms))';
	const above = bindings.bind('UInt64', after);
	return `count() AS total,
    arraySlice(groupArraySortedIf(${skip + take})(${entry}, user_point > ${above}), ${skip + 1}) AS user_points`;
}
