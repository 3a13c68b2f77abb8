import type {SqlParams, SqlValue} from '../warehouse/warehouse.ts';

/**
 * The values of one statement: each is bound once under a name of its own, never spliced into the text.
 * The same value of the same type has one name, so that equal conditions are equal texts.
 */
export class Bindings {
	readonly #prefix: string;
	readonly #names = new Map<string, string>();
	readonly #values: Record<string, SqlValue> = {};

	constructor(prefix = 'p') {
		this.#prefix = prefix;
	}

	/** Returns the placeholder, e.g. `{p0:String}`. */
	bind(type: string, value: SqlValue): string {
		const key = `${type} ${JSON.stringify(value)}`;
		let name = this.#names.get(key);
		if (name === undefined) {
			name = `${this.#prefix}${this.#names.size}`;
			this.#names.set(key, name);
			this.#values[name] = value;
		}
		return `{${name}:${type}}`;
	}

	get params(): SqlParams {
		return {...this.#values};
	}
}
