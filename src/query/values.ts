import type {Offset} from '../lib/local-time.ts';
import type {Dimension} from './dimensions.ts';
import type {Bindings} from './fragment.ts';

/** What a row has for a dimension, as SQL: '' is no text, [] no texts, NULL no number. */
export interface ValueSql {
	readonly shape: 'text' | 'texts' | 'number';
	readonly sql: string;
	/** What rows are grouped by where that is cheaper, and how a group is written then. */
	readonly key?: {readonly sql: string; text(key: string): string};
}

/** How the rows at hand tell their dimensions; undefined: not in a value of theirs (a segment's members). */
export type ValueSqlOf = (dimension: Dimension) => ValueSql | undefined;

/** What a column alone tells. */
export const storedValue: ValueSqlOf = ({kind, column, name}) => {
	if (kind === 'segment') return undefined;
	if (kind !== 'single' && kind !== 'multi') throw new Error(`${name} is in no column`);
	return {shape: kind === 'multi' ? 'texts' : 'text', sql: column};
};

export interface ToldBeside {
	/** Of the period. */
	readonly offsets: readonly Offset[];
	/** Display names of `channel_id`. */
	readonly channelNames: ReadonlyMap<string, string>;
}

/** The same with what must be told beside the columns; `counted` ones stand in a joined column of their name. */
export function toldValue(beside: ToldBeside, bindings: Bindings): ValueSqlOf {
	return dimension => {
		switch (dimension.kind) {
			case 'time':
				return timeValue(dimension, beside.offsets, bindings);
			case 'name': {
				const ids = bindings.bind('Array(String)', ['', ...beside.channelNames.keys()]);
				const names = bindings.bind('Array(String)', ['', ...beside.channelNames.values()]);
				return {shape: 'text', sql: `transform(toString(${dimension.column}), ${ids}, ${names}, '')`};
			}
			case 'number':
				return {shape: 'number', sql: dimension.sql!};
			case 'counted':
				return {shape: 'number', sql: countedColumn(dimension)};
			default:
				return storedValue(dimension);
		}
	};
}

export function countedColumn({name}: Dimension): string {
	return `counted_${name.toLowerCase()}`;
}

const INSTANT_MS = 'toInt64(bitShiftRight(position, 22))';
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * What local clocks showed, by offsets computed here: the engine's own are wrong where a midnight is skipped.
 * Grouped by whole days, hours or minutes as an integer; written only for the few groups that are answered.
 */
function timeValue({sql: format}: Dimension, offsets: readonly Offset[], bindings: Bindings): ValueSql {
	if (!format) return {shape: 'number', sql: INSTANT_MS};
	const starts = bindings.bind(
		'Array(Int64)',
		offsets.map(each => each.fromMs),
	);
	const ahead = bindings.bind(
		'Array(Int64)',
		offsets.map(each => each.offsetMs),
	);
	const localMs = `(${INSTANT_MS} + transform(roundDown(${INSTANT_MS}, ${starts}), ${starts}, ${ahead}, toInt64(0)))`;
	const unitMs = format.includes('%i') ? MINUTE_MS : format.includes('%H') ? HOUR_MS : DAY_MS;
	const write = (ms: string) =>
		`formatDateTime(fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC'), '${format}', 'UTC')`;
	return {
		shape: 'text',
		sql: write(localMs),
		key: {
			// A day is added and taken off again: integers are divided towards 0, and clocks may lag behind 1970.
			sql: `intDiv(${localMs} + ${DAY_MS}, ${unitMs})`,
			text: key => write(`${key} * ${unitMs} - ${DAY_MS}`),
		},
	};
}
