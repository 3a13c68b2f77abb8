import type {Dimension} from './dimensions.ts';
import {isSet} from './filters.ts';
import type {ValueSql} from './values.ts';

/** A dimension as a column that rows are grouped by. */
export interface ReportKey {
	readonly dimension: Dimension;
	/** `d1`, `d2` ... */
	readonly name: string;
	/** Of a fact row; a row of several values becomes several rows. */
	readonly sql: string;
	/** Of a group: its value as Nullable(String). */
	readonly text: string;
	/** Whether the group has a value. */
	readonly isSet: string;
	/** Whether a row may have had other values beside this one. */
	readonly isOneOfSeveral: boolean;
	/** Terms of an ORDER BY: values by size, none last. */
	order(direction: '' | ' DESC'): string[];
}

export function reportKeys(
	dimensions: readonly Dimension[],
	toldBy: (dimension: Dimension) => ValueSql,
): ReportKey[] {
	return dimensions.map((dimension, index): ReportKey => {
		const name = `d${index + 1}`;
		const value = toldBy(dimension);
		const {shape, key} = value;
		if (shape === 'number') {
			return {
				dimension,
				name,
				sql: value.sql,
				text: `toString(${name})`,
				isSet: isSet({shape, sql: name}),
				isOneOfSeveral: false,
				order: direction => [`${name}${direction} NULLS LAST`],
			};
		}
		if (key) {
			return {
				dimension,
				name,
				sql: key.sql,
				text: `toNullable(${key.text(name)})`,
				isSet: 'true',
				isOneOfSeveral: false,
				order: direction => [`${name}${direction}`],
			};
		}
		return {
			dimension,
			name,
			// Without a value a row stands once, for none.
			sql:
				shape === 'texts'
					? `arrayJoin(if(empty(${value.sql}), [''], arrayDistinct(${value.sql})))`
					: value.sql,
			text: `nullIf(toString(${name}), '')`,
			isSet: isSet({shape: 'text', sql: name}),
			isOneOfSeveral: shape === 'texts',
			order: direction => [
				`${name} = ''`,
				...(dimension.type === 'id' ? [`toUInt64OrNull(toString(${name}))${direction} NULLS LAST`] : []),
				`${name}${direction}`,
			],
		};
	});
}
