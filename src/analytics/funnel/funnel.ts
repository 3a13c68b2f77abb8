import {DomainError} from '../../errors.ts';
import {groupKeys} from '../../query/groups.ts';
import {funnelChains, funnelSteps, type StepSums, type UserPointChain} from './funnel.query.ts';
import type {FunnelRequest} from './funnel.schema.ts';
import {decimal, meanSeconds} from './funnel-numbers.ts';
import {type FunnelContext, MOST_GROUPS, questionOf} from './question.ts';
import type {FunnelQuestion} from './statement.query.ts';
import {type TimeToConvert, timeToConvert} from './time-to-convert.ts';

/** As on the wire (interface specification, Funnel and analytics endpoints). */
export interface FunnelStepNumbers {
	readonly name: string;
	readonly count: number;
	/** Mean whole seconds since the chain's first row. */
	readonly interaction_duration: number;
	/** Units and currency units with at most four decimals; on every step after the first. */
	readonly conversion?: number;
	readonly amount?: number;
	/** Where it is asked for. */
	readonly time_to_convert?: TimeToConvert;
}

export type {FunnelContext} from './question.ts';

export interface FunnelNumbers {
	readonly total: number;
	readonly steps: readonly FunnelStepNumbers[];
}

export interface FunnelGroup {
	readonly dimension_names: readonly string[];
	readonly dimension_values: readonly (string | null)[];
	/** With a single dimension also in the singular. */
	readonly dimension_name?: string;
	readonly dimension_value?: string | null;
	readonly dimension_decorator?: string;
	readonly funnel: FunnelNumbers;
}

export interface Funnel {
	readonly global: FunnelNumbers;
	readonly grouped_by: readonly FunnelGroup[];
	/** Of a sample: counts and sums are those of the sample divided by its factor, so that groups may sum to a bit else. */
	readonly sampling?: {
		readonly sample_factor: number;
		/** How many user points were looked at. */
		readonly user_points: number;
	};
}

/**
 * How many user points got how far through the steps, in order, and how long it took them (semantics.md, Funnel).
 * Errors: `groups_excessive`, `field_invalid`, and those of the warehouse.
 */
export async function funnelReport(context: FunnelContext, request: FunnelRequest): Promise<Funnel> {
	const {question, days} = await questionOf(context, request);
	const {fromMs, untilMs} = question.scope.range;
	if (fromMs >= untilMs)
		return {global: numbers(request, undefined), grouped_by: [], ...samplingOf(request, undefined)};

	const rows = await sumsOf(context, question);
	const groups = rows.filter(row => row.whole === 0);
	if (groups.length > MOST_GROUPS) {
		throw new DomainError(
			'groups_excessive',
			`more than ${MOST_GROUPS} groups: set limit, up to ${MOST_GROUPS}, to see the best`,
		);
	}
	const dayAt = new Map(days.map(({day, startMs}) => [startMs, day]));
	const whole = rows.find(row => row.whole === 1);
	return {
		global: numbers(request, whole),
		grouped_by: groups.map(row => groupOf(row, request, dayAt, context)),
		...samplingOf(request, whole),
	};
}

async function sumsOf(context: FunnelContext, question: FunnelQuestion): Promise<readonly StepSums[]> {
	const {warehouse, read, words} = context;
	const {rows} = await warehouse.read(funnelSteps, await withWords(context, question), read);
	if (!rows.some(row => row.unknown_words)) return rows;
	// A word is newer than the list of them: the values themselves tell.
	words?.distrust(question);
	return (await warehouse.read(funnelSteps, question, read)).rows;
}

/** Where there is little to read, asking for words takes longer than they save. */
async function withWords({words}: FunnelContext, question: FunnelQuestion): Promise<FunnelQuestion> {
	return question.scope.stretches ? {...question, words: await words?.of(question)} : question;
}

function samplingOf({sampleFactor}: FunnelRequest, whole: StepSums | undefined): Pick<Funnel, 'sampling'> {
	if (sampleFactor === 1) return {};
	return {sampling: {sample_factor: sampleFactor, user_points: Number(whole?.total ?? 0n)}};
}

/** Every user point's chain behind the same numbers: whoever had a row in the period, by ascending user point. */
export async function listFunnelChains(
	context: FunnelContext,
	request: FunnelRequest,
): Promise<readonly UserPointChain[]> {
	const {question} = await questionOf(context, request);
	if (question.scope.range.fromMs >= question.scope.range.untilMs) return [];
	const asked = await withWords(context, question);
	const {rows} = await context.warehouse.read(funnelChains, asked, context.read);
	return rows;
}

/** Without any row in the period there is nothing to sum: zeros, every step present. */
function numbers(request: FunnelRequest, sums: StepSums | undefined): FunnelNumbers {
	const {sampleFactor, timeToConvert: timed} = request;
	const scaled = (count: bigint) => Math.round(Number(count) / sampleFactor);
	const scaledSum = (sum: bigint) => (sampleFactor === 1 ? decimal(sum) : decimal(BigInt(scaled(sum))));
	return {
		total: scaled(sums?.total ?? 0n),
		steps: request.steps.map(({name}, index) => {
			const count = sums?.counts[index] ?? 0n;
			const middle = sums?.middle_ms?.[index];
			const times = middle && {middle_ms: middle, in_buckets: sums?.in_buckets?.[index] ?? []};
			return {
				name,
				count: scaled(count),
				interaction_duration: meanSeconds(sums?.elapsed_ms[index] ?? 0n, count),
				...(index > 0 && {
					conversion: scaledSum(sums?.units[index] ?? 0n),
					amount: scaledSum(sums?.money[index] ?? 0n),
				}),
				...(timed && {time_to_convert: timeToConvert(times, scaled)}),
			};
		}),
	};
}

function groupOf(
	row: StepSums,
	request: FunnelRequest,
	dayAt: ReadonlyMap<number, string>,
	{labelOf}: FunnelContext,
): FunnelGroup {
	const keys = groupKeys(request.steps);
	const names = keys.map(key => key.name);
	const values = keys.map(({dimension}, index) => {
		const value = row.group_values[index] ?? '';
		if (dimension.kind === 'time') return dayAt.get(Number(value)) ?? null;
		return value === '' ? null : value;
	});
	const [name, value] = [names[0], values[0]];
	const label = keys.length === 1 && value ? labelOf?.(keys[0]!.dimension.name, value) : undefined;
	return {
		dimension_names: names,
		dimension_values: values,
		...(keys.length === 1 && name !== undefined && {dimension_name: name, dimension_value: value ?? null}),
		...(label !== undefined && {dimension_decorator: label}),
		funnel: numbers(request, row),
	};
}
