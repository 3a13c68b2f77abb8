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
	compare(before, after, '', changes);
	return changes;
}

function compare(before: unknown, after: unknown, pointer: string, changes: Change[]): void {
	if (before === after || changes.length >= MOST_CHANGES) return;
	if (!isHolder(before) || !isHolder(after) || Array.isArray(before) !== Array.isArray(after)) {
		changes.push({pointer, kind: 'changed'});
		return;
	}
	for (const key in before) {
		if (changes.length >= MOST_CHANGES) return;
		const at = `${pointer}/${escapeKey(key)}`;
		if (Object.hasOwn(after, key)) compare(before[key], after[key], at, changes);
		else changes.push({pointer: at, kind: 'removed'});
	}
	for (const key in after) {
		if (changes.length >= MOST_CHANGES) return;
		if (!Object.hasOwn(before, key)) changes.push({pointer: `${pointer}/${escapeKey(key)}`, kind: 'added'});
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
