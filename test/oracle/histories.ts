import {addDays, midnight} from './local-time.ts';
import {type Chance, chance} from './random.ts';
import {type RequestOptions, randomRequest} from './requests.ts';
import * as words from './vocabulary.ts';
import type {AcceptedActivity, WireActivity, WireFunnelRequest} from './wire.ts';

export interface HistoryOptions extends RequestOptions {
	/** How many people at most; default 4. */
	readonly mostPeople?: number;
	/** How many activities a person has at most; default 6, and now and then 24. */
	readonly mostActivities?: number;
	/** How many events an activity has at most; default 4. */
	readonly mostEvents?: number;
	/** How many requests to ask of the history; default 4. */
	readonly requests?: number;
	/** Also activities without any `$ts`, placed by `receivedMs`: only for those who can set the time of receipt. */
	readonly receiptTimes?: boolean;
	/** Put before every identifier, so that several histories can share a datamart; default the seed. */
	readonly prefix?: string;
}

export interface RandomCase {
	readonly seed: number;
	readonly timeZone: string;
	/** Later than everything in the history. */
	readonly nowMs: number;
	/** In order of arrival. */
	readonly accepted: readonly AcceptedActivity[];
	readonly requests: readonly WireFunnelRequest[];
}

const DAY_MS = 86_400_000;

/**
 * A history and funnels over it, the same for the same seed and options, aimed at trouble: ties of one ms, repeated
 * events, windows kept or missed by a ms, edges of months and of daylight saving, arrival out of order, user
 * points merged late, absent values, halves of the smallest money.
 */
export function randomCase(seed: number, options: HistoryOptions = {}): RandomCase {
	const dice = chance(seed);
	const edge = dice.pick(words.EDGES);
	const moments = momentsOf(edge);
	const prefix = options.prefix ?? `s${seed}`;
	const people = Array.from({length: dice.whole(1, options.mostPeople ?? 4)}, (_, person) =>
		lifeOf(`${prefix}p${person}`, moments, dice, options),
	);

	// Most arrive roughly in order, some much later than they happened.
	const lives = people.flat();
	const ordered = dice.maybe(0.5) ? dice.shuffle(lives) : lives.sort((a, b) => latest(a) - latest(b));
	const nowMs = Math.max(...moments) + 10 * DAY_MS;
	const accepted = [...ordered, ...lateMeetings(people.length, prefix, moments, dice)].map(
		(activity, arrival) => ({
			activity,
			receivedMs: options.receiptTimes === true ? dice.pick(moments) : nowMs + arrival,
		}),
	);
	const requests = Array.from({length: options.requests ?? 4}, () => randomRequest(dice, edge.day, options));
	return {seed, timeZone: edge.timeZone, nowMs, accepted, requests};
}

export type Edge = (typeof words.EDGES)[number];

/** Around which day, and where, the history of a seed happens. */
export function edgeOf(seed: number): Edge {
	return chance(seed).pick(words.EDGES);
}

const momentsByEdge = new Map<Edge, number[]>();

/** Instants worth standing at or beside: midnights of the days around, as starts and as ends. */
function momentsOf(edge: Edge): number[] {
	const known = momentsByEdge.get(edge) ?? momentsAround(edge.day, edge.timeZone);
	momentsByEdge.set(edge, known);
	return known;
}

function momentsAround(day: string, timeZone: string): number[] {
	return [-2, -1, 0, 1, 2].flatMap(days => {
		const near = addDays(day, days);
		return [midnight(near, timeZone, 'start'), midnight(near, timeZone, 'end')];
	});
}

function latest(activity: WireActivity): number {
	return typeof activity.$ts === 'number' ? activity.$ts : 0;
}

/** The activities of one person. */
function lifeOf(
	name: string,
	moments: readonly number[],
	dice: Chance,
	options: HistoryOptions,
): WireActivity[] {
	const lived: number[] = [];

	function when(): number {
		const beside = lived.length > 0 && dice.maybe(0.7) ? dice.pick(lived) : dice.pick(moments);
		const days = dice.pick([0, 0, 1, 1, 1, 2, 30]) * (dice.maybe(0.2) ? -1 : 1);
		// Days apart are told to the ms; the same day may be any time of it.
		const apart =
			days === 0
				? dice.pick([0, 0, 1, 1000, dice.whole(-3_600_000, 3_600_000), dice.whole(0, DAY_MS)])
				: dice.pick([0, 0, 1, -1, dice.whole(-3_600_000, 3_600_000)]);
		const instant = beside + days * DAY_MS + apart;
		lived.push(instant);
		return instant;
	}

	const most = options.mostActivities ?? (dice.maybe(0.2) ? 24 : 6);
	return Array.from({length: dice.whole(1, most)}, () =>
		activityOf(identifiersOf(name, dice), when, dice, options),
	);
}

/** Some of a person's identifiers, in the new or the older form; seldom none. */
function identifiersOf(name: string, dice: Chance): WireActivity {
	if (dice.maybe(0.05)) return dice.maybe(0.5) ? {} : {$user_identifiers: [], $user_agent_id: null};
	const agent = `vec:${name}`;
	if (dice.maybe(0.15)) return {$user_agent_id: agent, $email_hash: null};
	if (dice.maybe(0.15))
		return {$user_account_id: `a-${name}`, $user_agent_id: dice.maybe(0.5) ? agent : null};
	if (dice.maybe(0.1)) return {$email_hash: {$hash: `h-${name}`}, $user_agent_id: agent};
	return {
		$user_identifiers: [
			{$type: 'USER_AGENT', $user_agent_id: agent},
			...(dice.maybe(0.3) ? [{$type: 'USER_ACCOUNT', $user_account_id: `a-${name}`}] : []),
			...(dice.maybe(0.2) ? [{$type: 'USER_EMAIL', $hash: `h-${name}`}] : []),
		],
	};
}

/** Activities in which two persons turn out to be one. */
function lateMeetings(
	people: number,
	prefix: string,
	moments: readonly number[],
	dice: Chance,
): WireActivity[] {
	if (people < 2 || dice.maybe(0.6)) return [];
	const [one, other] = dice.shuffle(Array.from({length: people}, (_, person) => `${prefix}p${person}`));
	return [
		{
			$type: 'APP_VISIT',
			$app_id: 'app-7',
			$session_status: 'CLOSED_SESSION',
			$ts: dice.pick(moments),
			$user_identifiers: [
				{$type: 'USER_AGENT', $user_agent_id: `vec:${one}`},
				{$type: 'USER_ACCOUNT', $user_account_id: `a-${other}`},
				{$type: 'USER_AGENT', $user_agent_id: `vec:${other}`},
			],
			$events: [],
		},
	];
}

function activityOf(
	identifiers: WireActivity,
	when: () => number,
	dice: Chance,
	options: HistoryOptions,
): WireActivity {
	const ts = when();
	const timeless = options.receiptTimes === true && dice.maybe(0.1);
	const events = dice.maybe(0.1) ? 0 : dice.whole(1, options.mostEvents ?? 4);
	return {
		$type: dice.pick(words.TYPES),
		...(dice.maybe(0.8) ? {$site_id: dice.pick(words.CHANNELS)} : {$app_id: dice.pick(words.CHANNELS)}),
		$session_status: dice.maybe(0.05) ? 'SESSION_SNAPSHOT' : 'CLOSED_SESSION',
		...(timeless ? {$ts: null} : {$ts: onTheWire(ts, dice)}),
		...identifiers,
		...(dice.maybe(0.5) && {$origin: {$campaign_id: dice.pick(words.CAMPAIGNS)}}),
		...(dice.maybe(0.2) && {$campaign_id: dice.pick(words.CAMPAIGNS)}),
		...(dice.maybe(0.7) && {
			$user_agent_info: {
				form_factor: dice.pick(words.FORM_FACTORS),
				browser_family: dice.pick(words.BROWSERS),
			},
		}),
		$events: Array.from({length: events}, () => eventOf(timeless, when, dice)),
	};
}

/** Whole seconds may be sent as seconds; a known client does. */
function onTheWire(ts: number, dice: Chance): number {
	return ts % 1000 === 0 && dice.maybe(0.2) ? ts / 1000 : ts;
}

function eventOf(timeless: boolean, when: () => number, dice: Chance): WireActivity {
	const name = dice.pick(words.EVENT_NAMES);
	return {
		$event_name: name,
		...(!timeless && dice.maybe(0.7) && {$ts: onTheWire(when(), dice)}),
		...(dice.maybe(0.85) && {
			$properties: {
				...(dice.maybe(0.7) && {$items: Array.from({length: dice.whole(0, 3)}, () => itemOf(dice))}),
				...(dice.maybe(0.2) && {$brand: dice.pick(words.BRANDS)}),
				...(dice.maybe(0.2) && {$product_id: dice.pick(words.PRODUCTS)}),
				...(dice.maybe(0.3) && {$amount: dice.pick(words.AMOUNTS)}),
				...(name === '$conversion' && {$goal_id: dice.pick(words.GOALS)}),
			},
		}),
	};
}

function itemOf(dice: Chance): WireActivity {
	return {
		...(dice.maybe(0.7) && {$product_id: dice.pick(words.PRODUCTS)}),
		...(dice.maybe(0.5) && {$id: dice.pick(words.PRODUCTS)}),
		$brand: dice.pick(words.BRANDS),
		...(dice.maybe(0.6) && {$category1: dice.pick(words.CATEGORIES)}),
		...(dice.maybe(0.3) && {$category3: dice.pick(words.CATEGORIES)}),
		...(dice.maybe(0.8) && {$price: dice.pick(words.PRICES)}),
		...(dice.maybe(0.3) && {$qty: dice.pick(words.QUANTITIES)}),
		...(dice.maybe(0.2) && {$quantity: dice.pick(words.QUANTITIES)}),
	};
}
