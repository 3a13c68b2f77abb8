import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {parseId} from '../../lib/ids.ts';
import type {ActivityTrace} from './traces.ts';

const OUTCOMES = {
	STORED: 'stored',
	STORED_WITH_ERROR: 'stored_with_error',
	DROPPED: 'dropped',
	UNANALYSED: 'unanalysed',
} as const;
const WIRE_OUTCOMES = ['STORED', 'STORED_WITH_ERROR', 'DROPPED', 'UNANALYSED'] as const;

const Id = z.union([z.string(), z.number()]).transform((value, context) => {
	const id = parseId(value);
	if (id === undefined) context.addIssue({code: 'custom', message: 'is no id'});
	return id;
});

export const TracesQuery = z
	.looseObject({
		...PagingQuery.shape,
		channel_id: Id.optional(),
		activity_analyzer_id: Id.optional(),
		outcome: z.enum(WIRE_OUTCOMES).optional(),
		error_id: z.string().min(1).max(100).optional(),
	})
	.transform(query => ({
		...query,
		asked: {
			channelId: query.channel_id,
			analyzerId: query.activity_analyzer_id,
			outcome: query.outcome && OUTCOMES[query.outcome],
			errorId: query.error_id,
		},
	}));

/** One analyzer's turn; durations are ms. */
const TraceStep = z.object({
	activity_analyzer_id: z.string(),
	status: z.enum(['ok', 'error']),
	start_ts: z.number(),
	duration: z.number(),
	tries: z.number(),
	changes: z.array(z.object({path: z.string(), change: z.enum(['added', 'removed', 'changed'])})),
	error_id: z.string().optional(),
	error_code: z.string().optional(),
	error: z.string().optional(),
});

/** The trace of one activity. */
export const TraceAnswer = z.object({
	id: z.string(),
	datamart_id: z.string(),
	channel_id: z.string(),
	received_ts: z.number(),
	start_ts: z.number(),
	duration: z.number(),
	outcome: z.enum(WIRE_OUTCOMES),
	steps: z.array(TraceStep),
});

export function traceToWire(datamartId: number, trace: ActivityTrace): z.output<typeof TraceAnswer> {
	return {
		id: trace.id,
		datamart_id: String(datamartId),
		channel_id: String(trace.channelId),
		received_ts: trace.receivedMs,
		start_ts: trace.startedMs,
		duration: Math.max(0, trace.endedMs - trace.startedMs),
		outcome: WIRE_OUTCOMES.find(outcome => OUTCOMES[outcome] === trace.outcome)!,
		steps: trace.steps.map(({analyzerId, startedMs, ms, tries, changes = [], failure}) => ({
			activity_analyzer_id: String(analyzerId),
			status: failure ? 'error' : 'ok',
			start_ts: startedMs,
			duration: ms,
			tries,
			changes: changes.map(({pointer, kind}) => ({path: pointer, change: kind})),
			...(failure && {error_id: failure.errorId, error_code: failure.fault, error: failure.message}),
		})),
	};
}
