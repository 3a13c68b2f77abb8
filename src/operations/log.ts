import {type DestinationStream, type Logger, pino} from 'pino';

/** Fields that hold what nobody may read in a log, however deep they stand. */
const SECRET =
	/pass(word|phrase)|secret|token|authorization|cookie|^mac$|signature|credential|identifiers?$|email|user_?agent_?id|user_?account_?id|^bindings?$|^(x-[\w-]*-)?(mac|key)$/i;
/** What may stand in the middle of a text: credentials in an address, after a scheme's word, e-mail addresses. */
const IN_TEXT: readonly (readonly [RegExp, string])[] = [
	[/\b([a-z][a-z\d+.-]*:\/\/)[^\s/@:]*(?::[^\s/@]*)?@/gi, '$1[removed]@'],
	[/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [removed]'],
	[/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '[removed]'],
	[/\b(token|password|secret|signature)(["']?\s*[=:]\s*["']?)[^\s"'&,;)}]+/gi, '$1$2[removed]'],
];
const REMOVED = '[removed]';
const DEEPEST = 6;
const LONGEST_TEXT = 8_192;

/**
 * Lines of JSON on standard output, or into `destination`. Nothing of what is secret gets into them: fields by their
 * names, credentials and e-mail addresses in texts; of errors only what they are, say and were caused by, since drivers
 * hang the values of a statement on theirs (docs/adr/0032).
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
	const options = {level, formatters: {log: (fields: object) => clean(fields, 0) as Record<string, unknown>}};
	const log = destination ? pino(options, destination) : pino(options);
	return log;
}

/** A copy without what may not be read. */
function clean(value: unknown, depth: number): unknown {
	if (typeof value === 'string') return withoutSecrets(value);
	if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
	if (depth > DEEPEST) return '[too deep]';
	if (value instanceof Error) return cleanError(value, depth);
	if (ArrayBuffer.isView(value)) return '[bytes]';
	if (Array.isArray(value)) return value.slice(0, 100).map(each => clean(each, depth + 1));
	const fields = Object.entries(value).map(([name, field]) => [
		name,
		SECRET.test(name) && field !== undefined && field !== null ? REMOVED : clean(field, depth + 1),
	]);
	return Object.fromEntries(fields);
}

function cleanError(error: Error, depth: number): object {
	const {name, message, stack, cause, code} = error as Error & {code?: unknown};
	const errors = error instanceof AggregateError ? error.errors.slice(0, 10) : undefined;
	return {
		type: name,
		message: withoutSecrets(message),
		...(typeof code === 'string' || typeof code === 'number' ? {code} : {}),
		...(stack === undefined ? {} : {stack: withoutSecrets(stack)}),
		...(cause === undefined ? {} : {cause: clean(cause, depth + 1)}),
		...(errors && {errors: clean(errors, depth + 1)}),
	};
}

function withoutSecrets(text: string): string {
	let clean = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}...` : text;
	for (const [pattern, instead] of IN_TEXT) clean = clean.replace(pattern, instead);
	return clean;
}
