/** A limit that is met ends a query with an error: `break` would answer with the part that was read by then. */
const OVERFLOW_MODES = [
	...['timeout', 'read', 'result', 'group_by', 'sort', 'distinct', 'set', 'join', 'transfer'],
].map(of => [`${of}_overflow_mode`, 'throw'] as const);

/** Settings of every statement: a server is sent them, the embedded engine has them built in and refuses other values. */
export const PINNED: Readonly<Record<string, string>> = {
	async_insert: '0',
	session_timezone: 'UTC',
	output_format_json_quote_64bit_integers: '1',
	...Object.fromEntries(OVERFLOW_MODES),
};
