import {invalidField} from '../../errors.ts';
import {daysUntil, type InstantRange, lastDays, midnight, startsOfDays} from '../../lib/days.ts';
import {groupKeys} from '../../query/groups.ts';
import type {Stretches} from '../../query/plan.ts';
import type {ReadOptions, Warehouse} from '../../warehouse/warehouse.ts';
import type {FunnelRequest} from './funnel.schema.ts';
import type {SplitWords} from './split-words.ts';
import type {FunnelQuestion} from './statement.query.ts';

export interface FunnelContext {
	readonly datamart: {readonly id: number; readonly timeZone: string};
	readonly warehouse: Warehouse;
	/** Epoch ms; default the clock's. */
	readonly now?: number;
	/** False where the datamart is known to have no merged user points; default true. */
	readonly resolveMerges?: boolean;
	/** The label of a dimension's value, where one exists (a channel's name). */
	readonly labelOf?: (dimension: string, value: string) => string | undefined;
	readonly read?: ReadOptions;
	/** How large datamarts are read; absent: in one scan, as small ones. */
	readonly stretches?: {of(datamartId: number, range: InstantRange): Promise<Stretches | undefined>};
	/** Words of what they are split by; absent: not known. */
	readonly words?: Pick<SplitWords, 'of' | 'distrust'>;
}

/** Groups beyond this are refused rather than cut, unless the request sets its own limit. */
export const MOST_GROUPS = 1000;
/** Ten years: a split by day binds the start of each. */
const MOST_SPLIT_DAYS = 3660;

interface DayStart {
	readonly day: string;
	readonly startMs: number;
}

/** A request in its datamart and time zone, at its moment. Error: `field_invalid`. */
export async function questionOf(
	context: FunnelContext,
	request: FunnelRequest,
): Promise<{question: FunnelQuestion; days: DayStart[]}> {
	const {timeZone, id} = context.datamart;
	const nowMs = request.asOf?.nowMs ?? context.now ?? Date.now();
	const {period} = request;
	const {first, end} =
		period.type === 'DATES' ? period : lastDays(period.unit, period.offset, nowMs, timeZone);
	const range: InstantRange = daysUntil(first, end, timeZone);
	const dimensions = [...groupKeys(request.steps), ...(request.holding ? [request.holding] : [])];
	const byDay = dimensions.some(({dimension}) => dimension.kind === 'time');
	if (byDay && (range.untilMs - range.fromMs) / 86_400_000 > MOST_SPLIT_DAYS) {
		throw invalidField('/in', `a split or a chain by day takes a period of at most ${MOST_SPLIT_DAYS} days`);
	}
	const days = byDay ? startsOfDays(first, end, timeZone) : [];
	// Where the closing midnight comes twice, the period ends with the second and holds an hour of the next day.
	const endStartMs = midnight(end, timeZone, 'start');
	if (byDay && endStartMs < range.untilMs) days.push({day: end, startMs: endStartMs});
	const stretches = range.fromMs < range.untilMs ? await context.stretches?.of(id, range) : undefined;
	const question: FunnelQuestion = {
		scope: {
			datamartId: id,
			timeZone,
			range,
			nowMs,
			resolveMerges: context.resolveMerges ?? true,
			asOf: request.asOf,
			stretches,
		},
		request,
		amounts: true,
		dayStarts: days.map(day => day.startMs),
		// One more than may be answered: a limit beyond the cap is no leave to cut the groups silently.
		maxGroups: Math.min(request.maxGroups ?? MOST_GROUPS + 1, MOST_GROUPS + 1),
	};
	return {question, days};
}
