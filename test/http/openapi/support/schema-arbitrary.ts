import fc, {type Arbitrary} from 'fast-check';

/** As much of JSON Schema as the document is written in. */
export interface Schema {
	readonly type?: string | readonly string[];
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly anyOf?: readonly Schema[];
	readonly oneOf?: readonly Schema[];
	readonly allOf?: readonly Schema[];
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly items?: Schema;
	readonly pattern?: string;
	readonly minLength?: number;
	readonly maxLength?: number;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly minItems?: number;
	readonly maxItems?: number;
}

const LONGEST_TEXT = 24;
const MOST_ITEMS = 3;

/** Values that the schema allows; mostly the domain takes them, and where it does not it has to say why. */
export function valuesOf(schema: Schema): Arbitrary<unknown> {
	if (schema.const !== undefined) return fc.constant(schema.const);
	if (schema.enum) return fc.constantFrom(...schema.enum);
	const choices = schema.anyOf ?? schema.oneOf;
	if (choices) return fc.oneof(...choices.map(valuesOf));
	if (schema.allOf?.[0]) return valuesOf(schema.allOf[0]);
	const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
	if (types.length === 0) return fc.jsonValue({maxDepth: 2});
	return fc.oneof(...types.map(type => valueOfType(type, schema)));
}

function valueOfType(type: string, schema: Schema): Arbitrary<unknown> {
	switch (type) {
		case 'null':
			return fc.constant(null);
		case 'boolean':
			return fc.boolean();
		case 'integer':
			return fc.integer({min: schema.minimum ?? -10, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1)});
		case 'number':
			return fc.oneof(fc.integer({min: -10, max: 10_000}), fc.double({noNaN: true, min: -1e6, max: 1e6}));
		case 'array': {
			const {minItems = 0, maxItems = MOST_ITEMS} = schema;
			const bounds = {minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, MOST_ITEMS))};
			return fc.array(valuesOf(schema.items ?? {}), bounds);
		}
		case 'object':
			return objectOf(schema);
		default:
			return textOf(schema);
	}
}

function objectOf({properties = {}, required = []}: Schema): Arbitrary<unknown> {
	const fields = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, valuesOf(each)]));
	return fc.record(fields, {requiredKeys: required.filter(name => name in fields)});
}

function textOf({pattern, minLength = 0, maxLength = LONGEST_TEXT}: Schema): Arbitrary<string> {
	if (pattern !== undefined) {
		try {
			return fc.stringMatching(new RegExp(pattern));
		} catch {
			// A pattern that cannot be turned round: any text, then.
		}
	}
	return fc.string({
		unit: 'grapheme',
		minLength,
		maxLength: Math.max(minLength, Math.min(maxLength, LONGEST_TEXT)),
	});
}

/** A body as bytes: right by the schema, wrong somewhere, or no JSON at all. */
export function bodiesOf(schema: Schema): Arbitrary<string> {
	const right = valuesOf(schema);
	const wrong = fc
		.tuple(right, fc.nat(), fc.jsonValue({maxDepth: 1}))
		.map(([value, place, other]) => replacedAt(value, place, other));
	const text = fc
		.oneof({weight: 5, arbitrary: right}, {weight: 5, arbitrary: wrong})
		.map(value => JSON.stringify(value) ?? '');
	const cut = fc
		.tuple(text, fc.nat(100))
		.map(([whole, share]) => whole.slice(0, Math.floor((whole.length * share) / 100)));
	return fc.oneof(
		{weight: 8, arbitrary: text},
		{weight: 1, arbitrary: cut},
		{weight: 1, arbitrary: fc.string()},
	);
}

/** One place of a value, however deep, holds something else. */
function replacedAt(value: unknown, place: number, other: unknown): unknown {
	if (typeof value !== 'object' || value === null) return other;
	const keys = Object.keys(value);
	const key = keys[place % (keys.length + 1)];
	if (key === undefined) return other;
	const inner = (value as Record<string, unknown>)[key];
	const replaced = replacedAt(inner, Math.floor(place / (keys.length + 1)), other);
	return Array.isArray(value) ? value.with(Number(key), replaced) : {...value, [key]: replaced};
}
