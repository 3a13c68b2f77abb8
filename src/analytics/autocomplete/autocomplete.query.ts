import {z} from 'zod';
import type {LocalDayRange} from '../../lib/local-days.ts';
import type {Dimension} from '../../query/dimensions.ts';
import {toldCondition} from '../../query/filters.ts';
import {Bindings} from '../../query/fragment.ts';
import {type ReportRequest, ReportRow} from '../../query/report.schema.ts';
import {reportKeys} from '../../query/report-keys.ts';
import {reportTail} from '../../query/report-tail.ts';
import {toldValue} from '../../query/values.ts';
import {defineQuery} from '../../warehouse/define-query.ts';
import type {Footprint} from '../../warehouse/warehouse.ts';
import {spansOf} from './value-table.ts';

/** Values of one dimension within whole local days. */
export interface ValueListQuestion {
	readonly datamartId: number;
	readonly dimension: Dimension;
	/** The dimension whose counts tell them. */
	readonly listed: Dimension;
	readonly days: readonly LocalDayRange[];
	/** The facts of those days. */
	readonly footprint: Footprint;
	readonly request: ReportRequest;
	readonly channelNames: ReadonlyMap<string, string>;
}

/** All values of a dimension, and how far this instance has counted them. */
export interface LiveQuestion extends Pick<ValueListQuestion, 'datamartId' | 'listed' | 'days'> {
	readonly instance: number;
	readonly mostValues: number;
	/** Of their texts together. */
	readonly mostBytes: number;
}

const Params = z.object({
	datamart_id: z.number(),
	dimension: z.string(),
	first_result: z.number(),
	max_results: z.number(),
});

/**
 * A page of them, most facts first. Counts come a moment after their facts, but an hour counts as being written until both
 * are there (docs/adr/0021).
 */
export const valueList = defineQuery({
	name: 'autocomplete.values',
	lane: 'light',
	sql: 'analytics/autocomplete.sql',
	params: Params,
	row: ReportRow,
	footprint: ({footprint}: ValueListQuestion) => footprint,
	toParams: ({datamartId, listed, request}: ValueListQuestion): z.input<typeof Params> => ({
		datamart_id: datamartId,
		dimension: listed.name,
		first_result: request.firstResult,
		max_results: request.maxResults,
	}),
	slots({dimension, days, request, channelNames}: ValueListQuestion) {
		const bindings = new Bindings();
		const valueSqlOf = toldValue({offsets: [], channelNames}, bindings);
		const told = (each: Dimension) => {
			const kind = each.kind === 'multi' ? 'single' : each.kind;
			return valueSqlOf({...each, kind, column: 'value'})!;
		};
		const [key] = reportKeys([dimension], told);
		const tail = reportTail(request, [key!], bindings);
		const condition = toldCondition(request.clause, bindings, told);
		return {
			value: key!.sql,
			days: {text: withinDays(days, bindings), params: bindings.params},
			condition,
			text: key!.text,
			is_set: key!.isSet,
			tail,
		};
	},
});

/** 100,000 texts take longer to check one by one than to read: what they are the statement's types say. */
function manyOf<Each>() {
	return z.custom<readonly Each[]>(Array.isArray);
}

/** What a live list begins with, of one state of the table. */
export const liveContent = defineQuery({
	name: 'autocomplete.live',
	lane: 'heavy',
	sql: 'analytics/autocomplete-live.sql',
	params: z.object({
		datamart_id: z.number(),
		dimension: z.string(),
		/** As a mark has it. */
		instance: z.string(),
		most: z.number(),
		most_bytes: z.number(),
	}),
	row: z.object({
		is_long: z.coerce.boolean(),
		values: manyOf<string>(),
		facts: manyOf<number>(),
		parts: z.array(z.number()),
		batches: z.array(z.number()),
	}),
	toParams: ({datamartId, listed, instance, mostValues, mostBytes}: LiveQuestion) => ({
		datamart_id: datamartId,
		dimension: listed.name,
		instance: String(instance),
		most: mostValues,
		most_bytes: mostBytes,
	}),
	slots({days, listed}: LiveQuestion) {
		const bindings = new Bindings();
		return {
			days: {text: withinDays(days, bindings), params: bindings.params},
			order: listed.type === 'id' ? 'toUInt64OrNull(key) NULLS LAST, key' : 'key',
		};
	},
});

/** Whether older facts have been counted into the table. */
export const completeness = defineQuery({
	name: 'autocomplete.completeness',
	lane: 'light',
	sql: 'analytics/autocomplete-completeness.sql',
	params: z.object({}),
	row: z.object({is_complete: z.coerce.boolean()}),
	slots: (_input: Record<string, never>) => ({}),
	toParams: () => ({}),
});

function withinDays(days: readonly LocalDayRange[], bindings: Bindings): string {
	const day = (number: number) => bindings.bind('UInt32', number);
	const runs = days
		.flatMap(spansOf)
		.map(run => `span = ${run.span} AND local_day >= ${day(run.first)} AND local_day < ${day(run.until)}`);
	return runs.join(' OR ') || 'false';
}
