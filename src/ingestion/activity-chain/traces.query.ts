import {z} from 'zod';
import {defineQuery} from '../../warehouse/define-query.ts';
import type {SqlFragment} from '../../warehouse/warehouse.ts';

/** Which traces: of a datamart and not older than `sinceMs`, and each of these where it is given. */
export interface TraceQuestion {
	readonly datamartId: number;
	readonly sinceMs: number;
	readonly channelId?: number | undefined;
	readonly analyzerId?: number | undefined;
	readonly outcome?: string | undefined;
	readonly errorId?: string | undefined;
	/** In hexadecimal. */
	readonly key?: string | undefined;
	readonly place?: {readonly instance: number; readonly arrival: number} | undefined;
}

const TraceRow = z.object({
	instance: z.coerce.number(),
	arrival: z.coerce.number(),
	channel_id: z.coerce.number(),
	received_ms: z.coerce.number(),
	started_ms: z.coerce.number(),
	traced_ms: z.coerce.number(),
	outcome: z.enum(['stored', 'stored_with_error', 'dropped', 'unanalysed']),
	steps: z.string(),
});
export type TraceRow = z.output<typeof TraceRow>;

export const traceCount = defineQuery({
	name: 'activityTraces.count',
	lane: 'light',
	sql: 'ingestion/activity-traces-count.sql',
	params: z.object({}),
	row: z.object({total: z.coerce.number()}),
	slots: (question: TraceQuestion) => ({matching: matching(question)}),
	toParams: () => ({}),
});

export const tracePage = defineQuery({
	name: 'activityTraces.page',
	lane: 'light',
	sql: 'ingestion/activity-traces.sql',
	params: z.object({firstResult: z.number(), maxResults: z.number()}),
	row: TraceRow,
	slots: (question: TraceQuestion & {firstResult: number; maxResults: number}) => ({
		matching: matching(question),
	}),
	toParams: ({firstResult, maxResults}) => ({firstResult, maxResults}),
});

function matching({place, ...question}: TraceQuestion): SqlFragment {
	const {datamartId, sinceMs, channelId, analyzerId, outcome, errorId, key} = question;
	const conditions = [
		'datamart_id = {datamartId:UInt32} AND traced_ms >= {sinceMs:UInt64}',
		channelId !== undefined && 'channel_id = {channelId:UInt64}',
		analyzerId !== undefined && 'has(analyzer_ids, {analyzerId:UInt64})',
		outcome !== undefined && 'outcome = {outcome:String}',
		errorId !== undefined && 'has(error_ids, {errorId:String})',
		key !== undefined && 'has(keys, {key:String})',
		place !== undefined && 'instance = {instance:UInt16} AND arrival = {arrival:UInt64}',
	].filter(condition => condition !== false);
	const given = {datamartId, sinceMs, channelId, analyzerId, outcome, errorId, key, ...place};
	const params = Object.fromEntries(
		Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
	);
	return {text: conditions.join(' AND '), params};
}
