/** A `{name:Type}` in a statement: where it stands and what it asks for. */
export interface Placeholder {
	readonly start: number;
	readonly end: number;
	readonly name: string;
	readonly type: string;
}

const PLACEHOLDER = /\{\s*([A-Za-z_]\w*)\s*:\s*([^{}]+?)\s*\}/y;

/** The placeholders of a statement, in order; braces inside literals, quoted names and comments are not placeholders. */
export function placeholders(sql: string): Placeholder[] {
	const found: Placeholder[] = [];
	let at = 0;
	while (at < sql.length) {
		const char = sql[at]!;
		if (char === "'" || char === '"' || char === '`') at = endOfQuoted(sql, at, char);
		else if (sql.startsWith('--', at)) at = after(sql, '\n', at + 2);
		else if (sql.startsWith('/*', at)) at = after(sql, '*/', at + 2);
		else if (char === '{') {
			PLACEHOLDER.lastIndex = at;
			const match = PLACEHOLDER.exec(sql);
			if (match) found.push({start: at, end: PLACEHOLDER.lastIndex, name: match[1]!, type: match[2]!});
			at = match ? PLACEHOLDER.lastIndex : at + 1;
		} else at += 1;
	}
	return found;
}

function endOfQuoted(sql: string, start: number, quote: string): number {
	for (let at = start + 1; at < sql.length; at++) {
		if (sql[at] === '\\') at += 1;
		else if (sql[at] === quote) return at + 1;
	}
	return sql.length;
}

function after(sql: string, ending: string, from: number): number {
	const at = sql.indexOf(ending, from);
	return at < 0 ? sql.length : at + ending.length;
}
