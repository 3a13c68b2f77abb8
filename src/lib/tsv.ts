/** ClickHouse TabSeparated: what needs a backslash outside and inside array quotes. */
const NEEDS_ESCAPE = /[\\\t\n\r\0\b\f']/;
const ESCAPES: Readonly<Record<string, string>> = {
	'\\': '\\\\',
	'\t': '\\t',
	'\n': '\\n',
	'\r': '\\r',
	'\0': '\\0',
	'\b': '\\b',
	'\f': '\\f',
	"'": "\\'",
};
const escapeAll = (value: string) => value.replace(/[\\\t\n\r\0\b\f']/g, found => ESCAPES[found]!);

/** A String cell. */
export function tsvText(value: string): string {
	return NEEDS_ESCAPE.test(value) ? escapeAll(value) : value;
}

/** An Array(String) cell: its elements are quoted, and escaped once. */
export function tsvArray(values: readonly string[]): string {
	if (values.length === 0) return '[]';
	return `[${values.map(value => `'${tsvText(value)}'`).join(',')}]`;
}
