/** How a row's place in the order is held while chains are sought (see `chain.ts`). */
export interface Marks {
	readonly ofRow: string;
	/** From the period's start, and not from 1970. */
	readonly isOffset: boolean;
	/** Bits of a mark below its milliseconds. */
	readonly bitsBelowMs: number;
	/** No row: above every mark. */
	readonly none: string;
}

/** The columns gathered per user point in the one scan: each distinct condition's rows are gathered once. */
export class Gathering {
	readonly #marks: Marks;
	readonly #conditions: string[] = [];
	readonly #columns: string[] = [];
	#numbered: string | undefined;

	constructor(marks: Marks) {
		this.#marks = marks;
	}

	/** Marks of all rows that meet the condition, in no order. */
	rowsOf(condition: string): string {
		const nth = this.#nthOf(condition);
		return this.#column(`rows_${nth}`, `groupArrayIf(${this.#marks.ofRow}, is_${nth})`);
	}

	/** Mark of the earliest row that meets the condition, or `none`. */
	firstOf(condition: string): string {
		const nth = this.#nthOf(condition);
		return this.#column(`first_${nth}`, `min(if(is_${nth}, ${this.#marks.ofRow}, ${this.#marks.none}))`);
	}

	/** Marks of all rows that meet any of the conditions, of which no row meets two: numbered from 1, above the mark's bits. */
	packedRows(conditions: readonly string[], markBits: number): string {
		const numbers = conditions.map((each, index) => `is_${this.#nthOf(each)}, ${index + 1}`);
		this.#numbered = `multiIf(${numbers.join(', ')}, 0) AS number`;
		const mark = `bitOr(bitShiftLeft(toUInt64(number), ${markBits}), ${this.#marks.ofRow})`;
		return this.#column('marks', `groupArrayIf(${mark}, number > 0)`);
	}

	/** `paid`: (mark, money, units) of the rows that meet one of the conditions and bring either; few rows do. */
	paidRows(conditions: readonly string[]): void {
		const any = [...new Set(conditions)].map(each => `is_${this.#nthOf(each)}`).join(' OR ');
		this.#column(
			'paid',
			`groupArrayIf((${this.#marks.ofRow}, money, units), (money != 0 OR units != 0) AND (${any}))`,
		);
	}

	/** `carried_<step>`: (mark, values ...) of the rows that meet the condition. */
	carriedRows(step: number, condition: string, values: readonly string[]): void {
		const nth = this.#nthOf(condition);
		this.#column(
			`carried_${step}`,
			`groupArrayIf((${[this.#marks.ofRow, ...values].join(', ')}), is_${nth})`,
		);
	}

	/** `carried_<step>_<nth>`: the values of the earliest row that meets the condition. */
	carriedFirst(step: number, condition: string, values: readonly string[]): void {
		const is = `is_${this.#nthOf(condition)}`;
		values.forEach((value, nth) => {
			this.#column(`carried_${step}_${nth + 1}`, `argMinIf(${value}, ${this.#marks.ofRow}, ${is})`);
		});
	}

	/** The distinct conditions, named `is_1`, `is_2` ... */
	conditions(): string {
		const named = this.#conditions.map((each, index) => `(${each}) AS is_${index + 1}`);
		return [...named, ...(this.#numbered ? [this.#numbered] : [])].join(',\n            ');
	}

	columns(): string {
		return this.#columns.join(',\n            ');
	}

	/** The names of the columns that tell more of a row than its mark: `paid` and `carried_<step>`. */
	get told(): readonly string[] {
		return this.#columns
			.map(each => each.slice(each.lastIndexOf(' ') + 1))
			.filter(name => name === 'paid' || name.startsWith('carried_'));
	}

	#nthOf(condition: string): number {
		const known = this.#conditions.indexOf(condition);
		return known >= 0 ? known + 1 : this.#conditions.push(condition);
	}

	#column(name: string, expression: string): string {
		const text = `${expression} AS ${name}`;
		if (!this.#columns.includes(text)) this.#columns.push(text);
		return name;
	}
}
