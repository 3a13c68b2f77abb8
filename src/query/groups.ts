import type {Chain} from './chain.ts';
import type {Bindings} from './fragment.ts';
import type {NamedDimension} from './inputs.ts';

/** One column of a split: a dimension of the row that serves a step (1-based). */
export interface GroupKey extends NamedDimension {
	readonly step: number;
}

export function groupKeys(steps: readonly {readonly splitBy: readonly NamedDimension[]}[]): GroupKey[] {
	return steps.flatMap((step, index) => step.splitBy.map(split => ({...split, step: index + 1})));
}

const WHOLE = 'grouping(in_group)';

export function groupColumns(keys: readonly GroupKey[], chain: Chain): string[] {
	if (keys.length === 0) return ['1 AS whole', `CAST([], 'Array(String)') AS group_values`];
	const unknown = chain.unknownWords();
	return [
		`${WHOLE} AS whole`,
		`[${names(keys).join(', ')}] AS group_values`,
		...(unknown ? [`countIf(in_group AND (${unknown})) AS unknown_words`] : []),
	];
}

/** Each user point that reached every split step belongs to one group: the values of its rows there. */
export function groupSource(
	keys: readonly GroupKey[],
	chain: Chain,
	dayStarts: readonly number[],
	bindings: Bindings,
	chains = 'chains',
): string {
	if (keys.length === 0) return chains;
	const reached = [...new Set(keys.map(key => chain.reached(key.step)))].join(' AND ');
	const nthOf = new Map<number, number>();
	const values = keys.map(({step, dimension}, index) => {
		let value: string;
		if (dimension.kind === 'time') {
			value = startOfDay(chain.instantMs(step), dayStarts, bindings);
		} else {
			const nth = nthOf.get(step) ?? 0;
			nthOf.set(step, nth + 1);
			value = chain.carried(step, nth);
		}
		return `if(in_group, ${value}, '') AS group_${index + 1}`;
	});
	return `(SELECT *, ${reached} AS in_group, ${values.join(', ')} FROM ${chains})`;
}

/** The whole first, then the groups: most user points at the last split step, then by value, none last. */
export function groupTail(keys: readonly GroupKey[], maxGroups: number): string {
	if (keys.length === 0) return '';
	const order = names(keys).flatMap(name => [`${name} = ''`, name]);
	return `GROUP BY GROUPING SETS ((), (in_group, ${names(keys).join(', ')}))
HAVING whole = 1 OR in_group
ORDER BY whole DESC, total DESC, ${order.join(', ')}
LIMIT ${maxGroups + 1}`;
}

/** On one of several shards: its groups, whole, and each person apart whose rows are sent on (`sent`). */
export function shardTail(keys: readonly GroupKey[]): string {
	if (keys.length === 0) return 'GROUP BY sent';
	return `GROUP BY GROUPING SETS ((sent), (sent, in_group, ${names(keys).join(', ')}))
HAVING whole = 1 OR (in_group AND sent = 0)`;
}

/** What a user point counts in, as `groupColumns` has it: all of them, and its group. */
export function groupsOf(keys: readonly GroupKey[]): string {
	const all = `(toUInt8(1), CAST([${keys.map(() => "''").join(', ')}], 'Array(String)'))`;
	if (keys.length === 0) return `[${all}]`;
	return `if(in_group, [${all}, (toUInt8(0), [${names(keys).join(', ')}])], [${all}])`;
}

/** The order of `groupTail`, by the values themselves. */
export function valuesTail(keys: readonly GroupKey[], maxGroups: number): string {
	const order = keys.flatMap((_, index) => [`group_values[${index + 1}] = ''`, `group_values[${index + 1}]`]);
	return `ORDER BY ${['whole DESC', 'total DESC', ...order].join(', ')}\nLIMIT ${maxGroups + 1}`;
}

function names(keys: readonly GroupKey[]): string[] {
	return keys.map((_, index) => `group_${index + 1}`);
}

/** The local day of an instant as a text: the epoch ms of its start, zero-padded so that texts sort as days do. */
export function startOfDay(instantMs: string, dayStarts: readonly number[], bindings: Bindings): string {
	// Days are cut at midnights computed here: the engine errs where a midnight is skipped.
	const starts = bindings.bind('Array(UInt64)', dayStarts);
	return `leftPad(toString(roundDown(${instantMs}, ${starts})), 16, '0')`;
}
