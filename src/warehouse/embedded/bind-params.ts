import {placeholders} from '../placeholders.ts';
import {EngineError} from './engine-error.ts';

const BAD_PARAMETER = 457;
const UNSET_PARAMETER = 456;

/**
 * Binds `{name:Type}` to text, for the embedded engine alone: its own binding serialises all queries of the process.
 * Values arrive as the HTTP client sends them: escaped once (tab, newline, backslash, quote), arrays as their text.
 * Everything rests on `quote`: a value only ever appears inside one literal, cast to a type of a fixed list.
 */
export function bindParams(sql: string, values: ReadonlyMap<string, string>): string {
	let bound = '';
	let from = 0;
	for (const {start, end, name, type} of placeholders(sql)) {
		const value = values.get(name);
		if (value === undefined) {
			throw new EngineError(UNSET_PARAMETER, 'UNKNOWN_QUERY_PARAMETER', `Query parameter ${name} is not set`);
		}
		bound += sql.slice(from, start) + literal(name, type, value);
		from = end;
	}
	return bound + sql.slice(from);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be escaped
const SPECIAL = /[\x00-\x1f\x7f'\\]/g;

/** One string literal; every character the lexer could read otherwise is escaped. */
export function quote(text: string): string {
	const escaped = text.replace(SPECIAL, char =>
		char === "'" || char === '\\' ? `\\${char}` : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
	);
	return `'${escaped}'`;
}

function literal(name: string, typeText: string, value: string): string {
	const type = readType(typeText);
	if (!type) throw bad(name, `has the type ${typeText}, which is not bound here`);
	if (value === '\\N' && type.nullable) return `_CAST(NULL, ${quote(typeText)})`;
	// An array's elements are quoted inside its text, which the engine itself reads; only scalars are escaped.
	if (type.base === 'Array') return `_CAST(${quote(value)}, ${quote(typeText)})`;
	const text = unescaped(name, value);
	const range = INTEGERS[type.base];
	if (range && !fits(text, range)) throw bad(name, `is not a ${type.base}`);
	// As a server does it: a plain String needs no cast.
	return typeText === 'String' ? quote(text) : `_CAST(${quote(text)}, ${quote(typeText)})`;
}

const SCALARS = new Set(
	'String UUID Float32 Float64 Bool Date Date32 DateTime DateTime64 IPv4 IPv6'.split(' '),
);
const WITH_ARGUMENTS = /^(?:DateTime\('[A-Za-z_/+\-0-9]+'\)|DateTime64\(\d(?:, ?'[A-Za-z_/+\-0-9]+')?\))$/;
const INTEGERS: Readonly<Record<string, readonly [bigint, bigint]>> = Object.fromEntries(
	[8, 16, 32, 64, 128, 256].flatMap(bits => {
		const size = 2n ** BigInt(bits);
		return [
			[`UInt${bits}`, [0n, size - 1n]],
			[`Int${bits}`, [-size / 2n, size / 2n - 1n]],
		];
	}),
);

interface ReadType {
	readonly base: string;
	readonly nullable: boolean;
}

function readType(text: string): ReadType | undefined {
	const wrapped = /^(Nullable|LowCardinality|Array)\((.+)\)$/.exec(text);
	if (!wrapped) {
		const known = SCALARS.has(text) || WITH_ARGUMENTS.test(text) || Object.hasOwn(INTEGERS, text);
		return known ? {base: text, nullable: false} : undefined;
	}
	const inner = readType(wrapped[2]!.trim());
	if (!inner) return undefined;
	if (wrapped[1] === 'Array') return {base: 'Array', nullable: false};
	return {base: inner.base, nullable: inner.nullable || wrapped[1] === 'Nullable'};
}

function fits(text: string, [least, most]: readonly [bigint, bigint]): boolean {
	// The engine wraps an integer that is too large; a wrong number is worse than a refusal.
	if (!/^[+-]?\d{1,78}$/.test(text)) return false;
	const number = BigInt(text.replace(/^\+/, ''));
	return number >= least && number <= most;
}

const ESCAPES: Readonly<Record<string, string>> = {
	t: '\t',
	n: '\n',
	r: '\r',
	b: '\b',
	f: '\f',
	0: '\0',
	"'": "'",
	'\\': '\\',
};

function unescaped(name: string, text: string): string {
	if (!text.includes('\\')) return text;
	let plain = '';
	for (let at = 0; at < text.length; at++) {
		if (text[at] !== '\\') {
			plain += text[at];
			continue;
		}
		at += 1;
		const meant = ESCAPES[text[at] ?? ''];
		if (meant === undefined) throw bad(name, 'holds an escape that is not known');
		plain += meant;
	}
	return plain;
}

function bad(name: string, reason: string): EngineError {
	return new EngineError(BAD_PARAMETER, 'BAD_QUERY_PARAMETER', `Query parameter ${name} ${reason}`);
}
