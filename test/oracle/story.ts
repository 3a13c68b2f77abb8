import {type FactOptions, factsOf} from './facts.ts';
import {evaluateFunnel, type FunnelAnswer, type FunnelQuestion} from './funnel.ts';
import type {AcceptedActivity, WireActivity, WireClause, WireFunnelRequest, WireStep} from './wire.ts';

/** Short ways to tell a history and to ask of it, for tests that a reader should be able to work out by hand. */

export const RECEIVED = Date.parse('2024-03-09T00:00:00Z');

/** An instant of March 2024 in UTC: `on(5, '09:00')`. */
export function on(day: number, time: string): number {
	return Date.parse(`2024-03-${String(day).padStart(2, '0')}T${time}Z`);
}

/** A visit of one user; events are `[name, instant, properties]`. */
export function visit(
	user: string | null,
	events: readonly (readonly [name: string, ts: number, properties?: WireActivity])[],
	more: WireActivity = {},
): AcceptedActivity {
	return {
		receivedMs: RECEIVED,
		activity: {
			$type: 'SITE_VISIT',
			$site_id: '1',
			$session_status: 'CLOSED_SESSION',
			...(events[0] !== undefined && {$ts: events[0][1]}),
			...(user !== null && {$user_identifiers: [{$type: 'USER_AGENT', $user_agent_id: user}]}),
			$events: events.map(([$event_name, $ts, $properties]) => ({$event_name, $ts, $properties})),
			...more,
		},
	};
}

export function eventIs(name: string): WireClause {
	return {operator: 'AND', filters: [{dimension_name: 'EVENT_TYPE', operator: 'EXACT', expressions: [name]}]};
}

/** A step met by events of a name. */
export function step(name: string, more: Partial<WireStep> = {}): WireStep {
	return {name, filter_clause: eventIs(name), ...more};
}

/** Asks over March 2024 in UTC unless told otherwise. */
export function ask(
	accepted: readonly AcceptedActivity[],
	request: Omit<WireFunnelRequest, 'in'> & Partial<Pick<WireFunnelRequest, 'in'>>,
	more: Partial<FunnelQuestion> & FactOptions = {},
): FunnelAnswer {
	return evaluateFunnel({
		rows: factsOf(accepted, more).rows,
		timeZone: 'UTC',
		request: {in: {type: 'DATES', start_date: '2024-03-01', end_date: '2024-04-01'}, ...request},
		...more,
	});
}

export function counts(answer: FunnelAnswer): number[] {
	return answer.global.steps.map(({count}) => count);
}

/** The instants of the only user point's reported chain. */
export function chainOf(answer: FunnelAnswer): number[] {
	const [chain = []] = answer.chains.values();
	return chain.map(row => row.ts);
}
