import {z} from 'zod';
import {toMs} from '../facts/activity.ts';

/** An activity makes at most this many fact rows. */
export const MAX_EVENTS = 10_000;
const DAY_MS = 86_400_000;
const YEAR_2000_MS = Date.UTC(2000, 0, 1);
/** Money is kept as an Int64 of 1/10,000. */
export const MAX_AMOUNT = 1e14;

const text = z.string().nullish();
const textOrNumber = z.union([z.string(), z.number()]).nullish();
const object = z.record(z.string(), z.unknown()).nullish();

/** ms, or seconds below 10^11; at most a day ahead and not before 2000 (decisions.md, Activities). */
const Ts = z
	.number()
	.refine(isInTime, {
		error: 'is before 2000 or more than a day ahead',
		params: {code: 'timestamp_out_of_range'},
	})
	.nullish();

export function isInTime(ts: number): boolean {
	return toMs(ts) >= YEAR_2000_MS && toMs(ts) <= Date.now() + DAY_MS;
}

/** What a device's id begins with where it is written as an agent (specification, "User activity"). */
const AGENT_PREFIX = /^(?:mob|mov|vec|net):/;
/** Ids of counters, of which one is the first. */
const FIRST_OF_A_COUNTER = /^(?:vec|net:\d+):0$/;

/** A text that tells nobody apart: empty, `null`, `undefined`, only zeros; of an agent, the id behind its prefix. */
export function tellsNobody(value: string): boolean {
	if (FIRST_OF_A_COUNTER.test(value)) return false;
	const told = (AGENT_PREFIX.test(value) ? value.slice(value.lastIndexOf(':') + 1) : value).trim();
	return /^(null|undefined)?$/i.test(told) || /^[0\-._\s]*$/.test(told);
}

export const MAX_IDENTIFIER_LENGTH = 2048;

/** The text of an identifier, wherever one is named. */
export const IdentifierText = z
	.string()
	.max(MAX_IDENTIFIER_LENGTH)
	.refine(value => !tellsNobody(value), {
		error: 'identifies nobody: empty, null, undefined and all-zero values are refused',
		params: {code: 'identifier_refused'},
	});

const Account = z.looseObject({
	$type: z.literal('USER_ACCOUNT'),
	$user_account_id: IdentifierText,
	$compartment_id: textOrNumber,
});
const Agent = z.looseObject({$type: z.literal('USER_AGENT'), $user_agent_id: IdentifierText});
const Email = z.looseObject({$type: z.literal('USER_EMAIL'), $hash: IdentifierText, $email: text});

const Properties = z
	.looseObject({
		$amount: z
			.unknown()
			.refine(amount => typeof amount !== 'number' || Math.abs(amount) <= MAX_AMOUNT, {
				error: `is beyond ${MAX_AMOUNT}`,
			})
			.optional(),
	})
	.nullish();

const Event = z.looseObject({$event_name: z.string().min(1), $ts: Ts, $properties: Properties});

/**
 * A user activity as clients send it: the field guide's model (section 3), unknown keys kept, explicit nulls allowed.
 * What the platform reads is checked; the rest is the sender's own.
 */
export const UserActivity = z.looseObject({
	$type: z.string().min(1),
	$ts: Ts,
	$session_status: text,
	$session_duration: z.number().nullish(),
	$site_id: text,
	$app_id: text,
	$user_agent: text,
	$user_agent_info: object,
	$origin: object,
	$campaign_id: textOrNumber,
	$unique_key: text,
	$user_identifiers: z.array(z.discriminatedUnion('$type', [Account, Agent, Email])).nullish(),
	$user_agent_id: IdentifierText.nullish(),
	$user_account_id: IdentifierText.nullish(),
	$compartment_id: textOrNumber,
	$email_hash: z.looseObject({$hash: IdentifierText, $email: text}).nullish(),
	$events: z.array(Event).max(MAX_EVENTS).nullish(),
});

/** Body of POST: one, or several. Records are checked one by one: the good ones of an array are taken. */
export const ActivitiesRequest = z.union([UserActivity, z.array(UserActivity)]);

const flag = (byDefault: boolean) =>
	z
		.enum(['true', 'false'])
		.default(byDefault ? 'true' : 'false')
		.transform(value => value === 'true');

/** `async=false` answers once the activity is queryable; `processing_pipeline=false` skips analyzers. */
export const AcceptQuery = z.looseObject({async: flag(true), processing_pipeline: flag(true)});

/** `data` of one activity, or the result of each of several (decisions.md, Activities). */
export const AcceptedOnWire = z.union([
	z.literal(true),
	z.object({
		records: z.array(
			z.object({
				index: z.int(),
				result: z.enum(['accepted', 'duplicate', 'rejected']),
				error: z
					.object({
						error: z.string(),
						error_code: z.string(),
						errors: z.array(z.object({pointer: z.string(), message: z.string()})),
					})
					.optional(),
			}),
		),
	}),
]);

/** What an activity may be refused with, at whichever door. */
export const ACTIVITY_REFUSALS = [
	...(['json_malformed', 'field_invalid', 'identifier_refused', 'timestamp_out_of_range'] as const),
	...(['compartment_unknown', 'journal_full', 'analyzers_behind'] as const),
] as const;
