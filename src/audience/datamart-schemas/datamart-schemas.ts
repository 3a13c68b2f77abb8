// The parser alone: all of graphql is 129 modules that every start would load.
import {GraphQLError} from 'graphql/error/index.js';
import {Kind, parse, type TypeNode} from 'graphql/language/index.js';
import {invalidField, notFound} from '../../errors.ts';
import type {Datamart} from '../../tenants/directory.ts';
import type {DatamartSchemaStore} from './datamart-schemas.store.ts';
import {DEFAULT_SCHEMA} from './default-schema.ts';

/** What is known of people in a datamart, as types and their fields. Instants are epoch ms. */
export interface DatamartSchema {
	readonly id: number;
	readonly datamartId: number;
	/** GraphQL's schema language. */
	readonly text: string;
	readonly creationTs: number;
	readonly lastModifiedTs: number;
}

/** The part of a schema that values are checked against: plain data, since that is done in a thread. */
export interface SchemaTypes {
	readonly types: Readonly<Record<string, Readonly<Record<string, FieldType>>>>;
}

export interface FieldType {
	/** The type's name, without lists and exclamation marks. */
	readonly name: string;
	/** String or [String]. */
	readonly isText: boolean;
}

/** Paths begin here: it is implied, and named by none. */
export const ROOT = 'UserPoint';
const MAX_TEXT = 512 * 1024;

/** The schema of a datamart, made with the default where there is none yet. */
export function schemaOf(store: DatamartSchemaStore, datamart: Datamart): Promise<DatamartSchema> {
	return store.getOrCreate(datamart.id, DEFAULT_SCHEMA);
}

/** Error: `datamart_schema_not_found`, another datamart's among them. */
export async function getSchema(
	store: DatamartSchemaStore,
	datamart: Datamart,
	id: number | undefined,
): Promise<DatamartSchema> {
	const schema = await schemaOf(store, datamart);
	if (schema.id !== id) throw notFound('datamart_schema_not_found');
	return schema;
}

/** Replaces the text. Errors: `datamart_schema_not_found`, `field_invalid` where it is no schema. */
export async function changeSchema(
	store: DatamartSchemaStore,
	datamart: Datamart,
	id: number | undefined,
	text: string,
): Promise<DatamartSchema> {
	const {id: present} = await getSchema(store, datamart, id);
	readSchema(text);
	return store.update(present, text);
}

/** Error: `field_invalid`, with the line where GraphQL's own grammar is not met. */
export function readSchema(text: string): SchemaTypes {
	if (text.length > MAX_TEXT) throw invalidField('', `must be at most ${MAX_TEXT} characters`);
	const types: Record<string, Record<string, FieldType>> = Object.create(null);
	for (const definition of definitionsOf(text)) {
		if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
		const fields: Record<string, FieldType> = Object.create(null);
		for (const field of definition.fields ?? []) fields[field.name.value] = typeOf(field.type);
		types[definition.name.value] = fields;
	}
	if (!types[ROOT]) throw invalidField('', `must have a type ${ROOT}`);
	return {types};
}

function definitionsOf(text: string) {
	try {
		return parse(text, {noLocation: true, maxTokens: 100_000}).definitions;
	} catch (error) {
		if (!(error instanceof GraphQLError)) throw error;
		const line = error.locations?.[0]?.line;
		throw invalidField('', `is not GraphQL's schema language (line ${line ?? '?'}): ${error.message}`);
	}
}

function typeOf(node: TypeNode, depth = 0): FieldType {
	if (node.kind === Kind.NON_NULL_TYPE) return typeOf(node.type, depth);
	if (node.kind === Kind.LIST_TYPE) return typeOf(node.type, depth + 1);
	const name = node.name.value;
	return {name, isText: name === 'String' && depth <= 1};
}

/** Why a path names no text field of the schema; undefined where it does. */
export function faultOfPath(levels: readonly string[], {types}: SchemaTypes): string | undefined {
	let at = ROOT;
	for (const [index, level] of levels.entries()) {
		const field = types[at]?.[level];
		const place = `level${index + 1}`;
		if (!field) return `${place}: ${at} has no such field`;
		const isLast = index === levels.length - 1;
		if (isLast) return field.isText ? undefined : `${place}: is neither String nor [String]`;
		if (!types[field.name]) return `${place}: has no fields, and so no level behind it`;
		at = field.name;
	}
	return 'level1: names no field';
}

/**
 * Dotted paths of a field as clients name it: `profiles.country` itself, or every path that ends in `UserProfile.country`
 * where the first part is a type (field guide, section 1, Reference tables).
 */
export function pathsOf(field: string, {types}: SchemaTypes, known: readonly string[]): readonly string[] {
	const parts = field.split('.');
	const [type = '', name = ''] = parts;
	if (parts.length !== 2 || !types[type] || types[ROOT]?.[type]) return [field];
	return known.filter(path => {
		const levels = path.split('.');
		let at = ROOT;
		for (const level of levels.slice(0, -1)) at = types[at]?.[level]?.name ?? '';
		return at === type && levels.at(-1) === name;
	});
}
