import {PINNED} from '../pins.ts';
import {quote} from './bind-params.ts';
import {EngineError} from './engine-error.ts';

/** Engine command line: pins hold for every session from its first statement, never through `SET`. */
export const ENGINE_ARGUMENTS: readonly string[] = [
	...Object.entries(PINNED).map(([name, value]) => `--${name}=${value}`),
	// Values are bound into the text here, so long lists make long statements.
	'--max_query_size=268435456',
	'--implicit_select=0',
	'--allow_introspection_functions=0',
];

/** About the HTTP exchange itself: answers are buffered and a closed connection kills its query in any case. */
const ABOUT_HTTP = new Set(['wait_end_of_query', 'cancel_http_readonly_queries_on_client_close']);

const READS = /^(?:SELECT|WITH|SHOW|DESCRIBE|DESC|EXISTS|EXPLAIN|VALUES)\b/i;
const LEADING = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/|\()+/;
const FORMAT_AT_END = /\bFORMAT\s+\w+\s*$/i;

/** Whether a statement asks rather than changes. */
export function isRead(sql: string): boolean {
	return READS.test(sql.replace(LEADING, ''));
}

/**
 * Settings of the URL become `SETTINGS` of the statement, which ends with it; as `SET` they would stay on the session.
 * A statement that changes something carries its own.
 */
export function withSettings(sql: string, settings: ReadonlyMap<string, string>): string {
	const wanted: string[] = [];
	for (const [name, value] of settings) {
		if (ABOUT_HTTP.has(name)) continue;
		if (!/^[a-z][a-z0-9_]*$/.test(name)) throw refused(`${JSON.stringify(name)} is not a setting`);
		if (Object.hasOwn(PINNED, name)) {
			if (PINNED[name] !== value) throw refused(`${name} is ${PINNED[name]} on this engine`);
			continue;
		}
		wanted.push(`${name} = ${quote(value)}`);
	}
	if (!isRead(sql)) {
		if (wanted.length > 0) throw refused('a statement that changes something carries its own SETTINGS');
		return sql;
	}
	const formatted = FORMAT_AT_END.test(sql) ? sql : `${sql}\nFORMAT TabSeparated`;
	return wanted.length > 0 ? `${formatted}\nSETTINGS ${wanted.join(', ')}` : formatted;
}

/** An INSERT whose rows come as the request's body. */
export interface InsertStatement {
	readonly table: string;
	readonly columns: readonly string[];
	readonly settings: Readonly<Record<string, string>>;
	readonly format: 'TabSeparated' | 'JSONEachRow' | 'Native';
}

const INSERT =
	/^INSERT INTO ([\w.`]+)\s*\(([\w\s,`]+)\)(?:\s+SETTINGS\s+(.+?))?\s+FORMAT\s+(TabSeparated|JSONEachRow|Native)\s*$/is;
const SETTING = /\s*([a-z][a-z0-9_]*)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|([\w.]+))\s*(,|$)/y;

/** Reads the one form of INSERT with data that is taken here; anything else is refused aloud. */
export function readInsert(sql: string): InsertStatement {
	const match = INSERT.exec(sql.trim());
	if (!match)
		throw refused('an INSERT with data is: INSERT INTO t (columns) [SETTINGS ...] FORMAT TabSeparated');
	const [, table, columns, settings, format] = match;
	return {
		table: table!.replaceAll('`', ''),
		columns: columns!.split(',').map(column => column.replaceAll('`', '').trim()),
		settings: readSettings(settings ?? ''),
		format: FORMATS.find(known => known.toLowerCase() === format!.toLowerCase())!,
	};
}

const FORMATS = ['TabSeparated', 'JSONEachRow', 'Native'] as const;

/** The same rows out of a file: the engine's bindings take text alone from memory (chdb 3.4). */
export function insertFromFile({table, columns, settings}: InsertStatement, file: string): string {
	const own = Object.entries(settings).map(([name, value]) => `${name} = ${quote(value)}`);
	// One reader: the file is one block, and its name never comes again.
	own.push('max_threads = 1', 'schema_inference_use_cache_for_file = 0');
	return `INSERT INTO ${table} (${columns.join(', ')}) SETTINGS ${own.join(', ')} SELECT * FROM file(${quote(file)}, Native)`;
}

function readSettings(text: string): Record<string, string> {
	const settings: Record<string, string> = {};
	SETTING.lastIndex = 0;
	while (SETTING.lastIndex < text.length) {
		const match = SETTING.exec(text);
		if (!match) throw refused('the SETTINGS of the INSERT could not be read');
		settings[match[1]!] = match[2]?.replace(/\\(.)/g, '$1') ?? match[3]!;
		if (match[4] === '') break;
	}
	return settings;
}

function refused(reason: string): EngineError {
	return new EngineError(36, 'BAD_ARGUMENTS', reason);
}
