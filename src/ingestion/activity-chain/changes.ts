/** How a place of an activity differs from before; what stands there is not said. */
export interface Change {
	/** JSON pointer (RFC 6901). */
	readonly pointer: string;
	readonly kind: 'added' | 'removed' | 'changed';
}

/** More are not listed: a trace tells what an analyzer does, it is no copy of the activity. */
export const MOST_CHANGES = 50;

/** Where two JSON values differ, at most `MOST_CHANGES` places. */
export function changesBetween(before: unknown, after: unknown): Change[] {
	const changes: Change[] = [];
	compare(before, after, [], changes);
	return changes;
}

/** `path` is one list for all: a pointer is made of it only where something differs. */
function compare(before: unknown, after: unknown, path: string[], changes: Change[]): void {
	if (before === after || changes.length >= MOST_CHANGES) return;
	const note = (kind: Change['kind']) => {
		if (changes.length < MOST_CHANGES)
			changes.push({pointer: path.map(key => `/${escapeKey(key)}`).join(''), kind});
	};
	if (!isHolder(before) || !isHolder(after) || Array.isArray(before) !== Array.isArray(after)) {
		note('changed');
		return;
	}
	for (const key in before) {
		path.push(key);
		if (Object.hasOwn(after, key)) compare(before[key], after[key], path, changes);
		else note('removed');
		path.pop();
	}
	for (const key in after) {
		if (Object.hasOwn(before, key)) continue;
		path.push(key);
		note('added');
		path.pop();
	}
}

function isHolder(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

function escapeKey(key: string): string {
	return key.length > 200
		? `${escapeKey(key.slice(0, 200))}…`
		: key.replaceAll('~', '~0').replaceAll('/', '~1');
}
