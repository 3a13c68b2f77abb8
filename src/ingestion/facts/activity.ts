/** A user activity as it comes over the wire, after `UserActivity` (user-activities.schema.ts) has accepted it. */
export type Json =
	| string
	| number
	| boolean
	| null
	| readonly Json[]
	| {readonly [key: string]: Json | undefined};
export type JsonObject = {readonly [key: string]: Json | undefined};

export interface WireEvent {
	readonly $event_name: string;
	readonly $ts?: number | null;
	readonly $properties?: JsonObject | null;
	readonly [key: string]: unknown;
}

export interface WireIdentifier {
	readonly $type: string;
	readonly $user_account_id?: string;
	readonly $compartment_id?: string | number | null;
	readonly $user_agent_id?: string;
	readonly $hash?: string;
	readonly $email?: string | null;
}

export interface WireActivity {
	readonly $type: string;
	readonly $ts?: number | null;
	readonly $session_status?: string | null;
	readonly $session_duration?: number | null;
	readonly $site_id?: string | null;
	readonly $app_id?: string | null;
	readonly $user_agent?: string | null;
	readonly $user_agent_info?: JsonObject | null;
	readonly $origin?: JsonObject | null;
	readonly $campaign_id?: string | number | null;
	readonly $user_identifiers?: readonly WireIdentifier[] | null;
	readonly $user_agent_id?: string | null;
	readonly $user_account_id?: string | null;
	readonly $compartment_id?: string | number | null;
	readonly $email_hash?: {readonly $hash: string; readonly $email?: string | null} | null;
	readonly $events?: readonly WireEvent[] | null;
	readonly [key: string]: unknown;
}

/** Below this a `$ts` is seconds: a known client sends them so (decisions.md, Activities). */
const SECONDS_BELOW = 1e11;

export function toMs(ts: number): number {
	return Math.round(Math.abs(ts) < SECONDS_BELOW ? ts * 1000 : ts);
}

/** A SESSION_SNAPSHOT is kept but makes no fact rows: its events come again with the closed session. */
export function isSnapshot(activity: WireActivity): boolean {
	return activity.$session_status === 'SESSION_SNAPSHOT';
}

/** How many fact rows an activity makes; also how many values of the arrival counter it takes, at least one. */
export function rowCount(activity: WireActivity): number {
	return Math.max(1, activity.$events?.length ?? 0);
}
