import {readFileSync} from 'node:fs';
import type {z} from 'zod';
import {projectFile} from '../lib/project.ts';
import {placeholders} from './placeholders.ts';
import type {Footprint, Shards, SqlFragment, SqlParams, SqlValue, WarehouseQuery} from './warehouse.ts';

const SLOT = /\/\*\{(\w+)\}\*\//g;

/** Text for a slot, from our own catalogue only: never from a request. */
export type SlotText = SqlFragment | string;

export interface QueryDefinition<Input, Params extends z.ZodType, Row> {
	/** report.answer: the span, the `log_comment` and the name in errors. */
	readonly name: string;
	readonly lane: 'light' | 'heavy';
	/** Path below `sql/`, e.g. `analytics/funnel.sql`; read once, when the module loads. */
	readonly sql: string;
	/** Checks the values of the statement's own `{name:Type}`; what the statement does not name is left out. */
	readonly params: Params;
	readonly row: z.ZodType<Row>;
	/** One text or fragment for each slot comment of the file, all of them and no other. */
	readonly slots?: (input: Input) => Readonly<Record<string, SlotText>>;
	/** The statement's own values; without it the input itself is what `params` checks. */
	readonly toParams?: (input: Input) => z.input<Params>;
	/** As WarehouseQuery's: only of such questions an answer may be kept. */
	readonly footprint?: (input: Input) => Footprint | undefined;
	/** As WarehouseQuery's. */
	readonly onShards?: (input: Input, shards: Shards) => SqlFragment | undefined;
}

/**
 * A typed question: SQL file, slots and values become one statement with its parameters.
 * Throws at load when the file is missing, at `build` when a slot or value is missing, unknown or contradicts another.
 */
export function defineQuery<Input, Params extends z.ZodType, Row>(
	definition: QueryDefinition<Input, Params, Row>,
): WarehouseQuery<Input, Row> {
	const {name, lane, row, footprint, onShards} = definition;
	const template = readFileSync(projectFile(`sql/${definition.sql}`), 'utf8');
	return {
		name,
		lane,
		row,
		...(footprint && {footprint}),
		...(onShards && {onShards}),
		build(input) {
			const own = definition.params.parse(
				definition.toParams ? definition.toParams(input) : input,
			) as SqlParams;
			return fillStatement(name, template, definition.slots?.(input) ?? {}, own);
		},
	};
}

/** The pure half of `defineQuery`: fills slots, merges values, and refuses whatever does not add up. */
export function fillStatement(
	name: string,
	template: string,
	slots: Readonly<Record<string, SlotText>>,
	own: SqlParams,
): SqlFragment {
	const refuse = (reason: string): never => {
		throw new Error(`query ${name}: ${reason}`);
	};
	const values = new Map<string, SqlValue>(Object.entries(own));
	const unused = new Set(Object.keys(slots));

	const text = template.replace(SLOT, (_, slot: string) => {
		const given = Object.hasOwn(slots, slot) ? slots[slot] : undefined;
		if (given === undefined) return refuse(`slot ${slot} is not filled`);
		unused.delete(slot);
		if (typeof given === 'string') return given;
		for (const [key, value] of Object.entries(given.params)) {
			if (values.has(key) && !same(values.get(key), value)) refuse(`two values under the name ${key}`);
			values.set(key, value);
		}
		return given.text;
	});
	if (unused.size > 0) refuse(`has no slot ${[...unused].join(', ')}`);
	const left = text.match(SLOT);
	if (left) refuse(`a fragment brought a slot of its own: ${left.join(', ')}`);

	const params: Record<string, SqlValue> = {};
	for (const wanted of placeholders(text)) {
		const value = values.get(wanted.name);
		if (value === undefined) refuse(`no value for {${wanted.name}:${wanted.type}}`);
		params[wanted.name] = value as SqlValue;
	}
	return {text, params};
}

function same(left: unknown, right: unknown): boolean {
	return JSON.stringify(left) === JSON.stringify(right);
}
