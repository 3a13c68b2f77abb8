import {compile, type JSONSchema} from 'json-schema-to-typescript';
import type {OpenApiDocument} from '../src/http/openapi/document.ts';

/** What is looked at of an operation: its schemas, as the document writes them. */
interface Operation {
	readonly summary?: string;
	readonly parameters?: readonly {
		readonly in: string;
		readonly name: string;
		readonly required?: boolean;
		readonly schema: JSONSchema;
	}[];
	readonly requestBody?: {readonly content: Readonly<Record<string, {readonly schema: JSONSchema}>>};
	readonly responses: {
		readonly 200: {readonly content?: Readonly<Record<string, {readonly schema: JSONSchema}>>};
	};
}

const BANNER =
	'// Made by `npm run client-types` of the document that the routes make; a test holds it to that.\n';

const JSON_TYPE = 'application/json';

/**
 * The client's types, of `/openapi.json`: an entry an operation, `'GET /v1/...': {path, query, body, raw, answer, bytes}`.
 * Refusals are left out: they all look alike, and are thrown. `raw` are the content types beside JSON, `answer` is the
 * whole envelope, `bytes` says that there may be none.
 */
export async function clientTypesOf(document: OpenApiDocument): Promise<string> {
	const {paths, components} = JSON.parse(JSON.stringify(document)) as {
		paths: Record<string, Record<string, Operation>>;
		components: {schemas: {Error: JSONSchema}};
	};
	const operations = Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(
			([method, operation]) => [`${method.toUpperCase()} ${path}`, schemaOf(operation)] as const,
		),
	);
	// Their order is that of the routes, which nobody looks anything up by.
	operations.sort(([a], [b]) => (a < b ? -1 : 1));
	const api = closed(
		Object.fromEntries(operations),
		operations.map(([name]) => name),
	);
	const parts = [await typed(api, 'Api'), await typed(components.schemas.Error, 'ErrorAnswer')];
	return `${BANNER}\n${parts.join('\n')}`;
}

function schemaOf({summary, parameters = [], requestBody, responses}: Operation): JSONSchema {
	const properties: Record<string, JSONSchema> = {};
	for (const place of ['path', 'query']) {
		const named = parameters.filter(each => each.in === place);
		if (named.length === 0) continue;
		properties[place] = closed(
			Object.fromEntries(
				named.map(({name, schema}) => [name, place === 'path' ? {type: ['string', 'number']} : schema]),
			),
			named.flatMap(({name, required}) => (required ? name : [])),
		);
	}
	const {[JSON_TYPE]: body, ...others} = requestBody?.content ?? {};
	if (body) properties.body = body.schema;
	if (Object.keys(others).length > 0) properties.raw = {enum: Object.keys(others)};
	const {[JSON_TYPE]: answer, ...bytes} = responses[200].content ?? {};
	if (answer) properties.answer = answer.schema;
	if (Object.keys(bytes).length > 0) properties.bytes = {const: true} as JSONSchema;
	const isNeeded = (name: string) => {
		const {required} = properties[name]!;
		return name !== 'query' || (Array.isArray(required) && required.length > 0);
	};
	return closed(properties, Object.keys(properties).filter(isNeeded), summary);
}

function closed(
	properties: Record<string, JSONSchema>,
	required: string[],
	description?: string,
): JSONSchema {
	return {
		type: 'object',
		properties,
		required,
		additionalProperties: false,
		...(description !== undefined && {description}),
	};
}

function typed(schema: JSONSchema, name: string): Promise<string> {
	return compile(schema, name, {
		bannerComment: '',
		additionalProperties: false,
		// Otherwise a list of at most 32 becomes 33 tuples.
		ignoreMinAndMaxItems: true,
		style: {useTabs: true, singleQuote: true, bracketSpacing: false, printWidth: 110},
	});
}
