import {
	isInTime,
	MAX_AMOUNT,
	MAX_EVENTS,
	MAX_IDENTIFIER_LENGTH,
	tellsNobody,
} from './user-activities.schema.ts';

type Holder = Readonly<Record<string, unknown>>;

/**
 * Whether the schema is certain to accept this value of JSON: a tenth of what asking the schema costs, for what nearly
 * every activity looks like. False says nothing: whatever is refused, the schema refuses, and says why. Held to it by
 * test/ingestion/user-activities/plain-activity.test.ts.
 */
export function isPlainActivity(value: unknown): boolean {
	return (
		isObject(value) &&
		isWord(value.$type) &&
		isTs(value.$ts) &&
		isText(value.$session_status) &&
		isNumber(value.$session_duration) &&
		isText(value.$site_id) &&
		isText(value.$app_id) &&
		isText(value.$user_agent) &&
		isRecord(value.$user_agent_info) &&
		isRecord(value.$origin) &&
		isTextOrNumber(value.$campaign_id) &&
		isText(value.$unique_key) &&
		isListOf(value.$user_identifiers, isIdentifier) &&
		isIdentifierText(value.$user_agent_id) &&
		isIdentifierText(value.$user_account_id) &&
		isTextOrNumber(value.$compartment_id) &&
		isEmailHash(value.$email_hash) &&
		isListOf(value.$events, isEvent, MAX_EVENTS)
	);
}

function isObject(value: unknown): value is Holder {
	// A key of this name looks like another class of object to the schema.
	return typeof value === 'object' && value !== null && value.constructor === Object;
}

function isWord(value: unknown): boolean {
	return typeof value === 'string' && value !== '';
}

function isText(value: unknown): boolean {
	return value == null || typeof value === 'string';
}

function isNumber(value: unknown): boolean {
	return value == null || Number.isFinite(value);
}

function isTextOrNumber(value: unknown): boolean {
	return isText(value) || Number.isFinite(value);
}

function isTs(value: unknown): boolean {
	return value == null || (Number.isFinite(value) && isInTime(value as number));
}

function isRecord(value: unknown): boolean {
	return value == null || isObject(value);
}

function isListOf(
	value: unknown,
	is: (element: unknown) => boolean,
	most = Number.POSITIVE_INFINITY,
): boolean {
	if (value == null) return true;
	if (!Array.isArray(value) || value.length > most) return false;
	for (const element of value) if (!is(element)) return false;
	return true;
}

function isEvent(value: unknown): boolean {
	if (!isObject(value)) return false;
	return isWord(value.$event_name) && isTs(value.$ts) && isProperties(value.$properties);
}

function isProperties(value: unknown): boolean {
	if (value == null) return true;
	if (!isObject(value)) return false;
	const {$amount} = value;
	return typeof $amount !== 'number' || Math.abs($amount) <= MAX_AMOUNT;
}

function isIdentifier(value: unknown): boolean {
	if (!isObject(value)) return false;
	switch (value.$type) {
		case 'USER_AGENT':
			return value.$user_agent_id != null && isIdentifierText(value.$user_agent_id);
		case 'USER_ACCOUNT':
			return (
				value.$user_account_id != null &&
				isIdentifierText(value.$user_account_id) &&
				isTextOrNumber(value.$compartment_id)
			);
		case 'USER_EMAIL':
			return value.$hash != null && isEmailHash(value);
		default:
			return false;
	}
}

function isEmailHash(value: unknown): boolean {
	if (value == null) return true;
	return isObject(value) && value.$hash != null && isIdentifierText(value.$hash) && isText(value.$email);
}

function isIdentifierText(value: unknown): boolean {
	if (value == null) return true;
	if (typeof value !== 'string' || value.length > MAX_IDENTIFIER_LENGTH) return false;
	return tellsSomebody(value.charCodeAt(value.length - 1)) || !tellsNobody(value);
}

const OF_NOBODY: ReadonlySet<string> = new Set('0lLdD');

/** A last character that no refused text has: those end in zeros, in what stands between words, or as `null` does. */
const TELLING: readonly boolean[] = Array.from({length: 128}, (_, code) => {
	const character = String.fromCharCode(code);
	return /[0-9a-zA-Z]/.test(character) && !OF_NOBODY.has(character);
});

function tellsSomebody(lastCode: number): boolean {
	return TELLING[lastCode] === true;
}
