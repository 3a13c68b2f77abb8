import type {Marks} from './marks.ts';

interface Part {
	readonly name: string;
	told(sent: string): string;
	joined(part: string): string;
}

/** Before the name of a column of which only a part is known. */
const PART = 'part_of_';

/** The columns gathered per user point in the one scan: each distinct condition's rows are gathered once. */
export class Gathering {
	readonly #marks: Marks;
	readonly #conditions: string[] = [];
	readonly #columns: string[] = [];
	/** Of each column, how parts of it that were gathered apart are told, and made one again. */
	readonly #parts: Part[] = [];
	#numbered: string | undefined;
	/** Conditions that a row's number tells as well. */
	readonly #told = new Map<string, string>();

	constructor(marks: Marks) {
		this.#marks = marks;
	}

	/** Marks of all rows that meet the condition, in no order. */
	rowsOf(condition: string): string {
		const nth = this.#nthOf(condition);
		return this.#rows(`rows_${nth}`, `groupArrayIf(${this.#marks.ofRow}, is_${nth})`);
	}

	/** Mark of the earliest row that meets the condition, or `none`. */
	firstOf(condition: string): string {
		const nth = this.#nthOf(condition);
		const {ofRow, none} = this.#marks;
		return this.#column(`first_${nth}`, `min(if(is_${nth}, ${ofRow}, ${none}))`, {
			told: sent => `min(if(${sent}, first_${nth}, ${none}))`,
			joined: part => `min(${part})`,
		});
	}

	/**
	 * Marks of all rows that meet any of the conditions, of which no row meets two, each with its condition's number in the
	 * bits above. `number`: how a row's number is had without the conditions, 0 where it meets none.
	 */
	packedRows(conditions: readonly string[], numbers: readonly string[], number?: string): string {
		if (number) for (const [index, each] of conditions.entries()) this.#told.set(each, numbers[index]!);
		const compared = conditions.map((each, index) => `is_${this.#nthOf(each)}, ${numbers[index]}`);
		this.#numbered = `${number ?? `multiIf(${compared.join(', ')}, toUInt64(0))`} AS number`;
		return this.#rows('marks', `groupArrayIf(bitOr(number, ${this.#marks.ofRow}), number > 0)`);
	}

	/** `paid`: (mark, money, units) of the rows that meet one of the conditions and bring either; few rows do. */
	paidRows(conditions: readonly string[]): void {
		this.#rows(
			'paid',
			`groupArrayIf((${this.#marks.ofRow}, money, units), (money != 0 OR units != 0) AND (${this.anyOf(conditions)}))`,
		);
	}

	/** `carried_<step>`: (mark, values ...) of the rows that meet the condition. */
	carriedRows(step: number, condition: string, values: readonly string[]): void {
		const nth = this.#nthOf(condition);
		this.#rows(`carried_${step}`, `groupArrayIf((${[this.#marks.ofRow, ...values].join(', ')}), is_${nth})`);
	}

	/**
	 * `carried_<step>_<nth>`: the values of the earliest row that meets the condition. Gathered apart, whose part has the
	 * earliest has to be known as well.
	 */
	carriedFirst(step: number, condition: string, values: readonly string[], apart: boolean): void {
		const is = `is_${this.#nthOf(condition)}`;
		const first = apart ? this.firstOf(condition) : '';
		values.forEach((value, nth) => {
			const name = `carried_${step}_${nth + 1}`;
			this.#column(name, `argMinIf(${value}, ${this.#marks.ofRow}, ${is})`, {
				told: sent => `anyIf(${name}, ${sent})`,
				joined: part => `argMin(${part}, ${PART}${first})`,
			});
		});
	}

	/** The distinct conditions, named `is_1`, `is_2` ... */
	conditions(): string[] {
		const named = this.#conditions.map((each, index) => {
			const number = this.#told.get(each);
			return `(${number ? `number = ${number}` : each}) AS is_${index + 1}`;
		});
		return [...named, ...(this.#numbered ? [this.#numbered] : [])];
	}

	columns(): string {
		return this.#columns.join(',\n            ');
	}

	/** What is told of the people for whom `sent` holds, of each a group: a part of every column. */
	partsOf(sent: string): string[] {
		return this.#parts.map(({name, told}) => `${told(sent)} AS ${PART}${name}`);
	}

	/** The columns again, from all parts of a person. */
	joinedParts(): string[] {
		return this.#parts.map(({name, joined}) => `${joined(PART + name)} AS ${name}`);
	}

	/** The names of the columns that tell more of a row than its mark: `paid` and `carried_<step>`. */
	get told(): readonly string[] {
		return this.#columns
			.map(each => each.slice(each.lastIndexOf(' ') + 1))
			.filter(name => name === 'paid' || name.startsWith('carried_'));
	}

	/** Whether a row meets any of these conditions. */
	anyOf(conditions: readonly string[]): string {
		return [...new Set(conditions)].map(each => `is_${this.#nthOf(each)}`).join(' OR ');
	}

	#nthOf(condition: string): number {
		const known = this.#conditions.indexOf(condition);
		return known >= 0 ? known + 1 : this.#conditions.push(condition);
	}

	/** A column that is an array: the parts of one follow each other. */
	#rows(name: string, expression: string): string {
		return this.#column(name, expression, {
			told: sent => `groupArrayArrayIf(${name}, ${sent})`,
			joined: part => `groupArrayArray(${part})`,
		});
	}

	#column(name: string, expression: string, part: Omit<Part, 'name'>): string {
		const text = `${expression} AS ${name}`;
		if (!this.#columns.includes(text)) {
			this.#columns.push(text);
			this.#parts.push({name, ...part});
		}
		return name;
	}
}
