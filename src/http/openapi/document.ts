import {z} from 'zod';
import {createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject} from 'zod-openapi';
import {ERROR_CODES, type ErrorCode} from '../../errors.ts';
import {mayBeSigned, POLICY} from '../../identity/policy.ts';
import {statusOf} from '../problem.ts';
import type {Route} from '../route.ts';
import {ELSEWHERE, errorsOf} from './errors-of.ts';

export interface DocumentOptions {
	readonly routes: readonly Route[];
	/** The word in `X-<brand>-...` headers. */
	readonly brand: string;
	readonly version: string;
}

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** What a refusal looks like (decisions.md, "Envelope, errors, lists"). */
export const ErrorAnswer = z
	.object({
		status: z.literal('error'),
		error: z.string(),
		error_code: z.enum(ERROR_CODES),
		error_id: z.string(),
		errors: z.array(z.object({pointer: z.string(), message: z.string()})).optional(),
	})
	.meta({description: 'A refusal: nothing was changed'});

const PAGE = {
	count: z.int().describe('how many are on this page'),
	total: z.int().describe('how many there are'),
	first_result: z.int(),
	max_results: z.int(),
};

/** Refusals that several operations share stand in the document once. */
class Refusals {
	readonly #names = new Map<string, string>();
	readonly components: Record<string, object> = {};

	/** One answer a status; which codes it may carry stands in its description and its schema. */
	of(codes: readonly ErrorCode[]): Record<string, object> {
		const byStatus = new Map<number, ErrorCode[]>();
		for (const code of codes) byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
		return Object.fromEntries(
			[...byStatus].map(([status, carried]) => [
				String(status),
				{$ref: `#/components/responses/${this.#nameOf(status, carried)}`},
			]),
		);
	}

	#nameOf(status: number, codes: readonly ErrorCode[]): string {
		const key = `${status} ${codes.join(' ')}`;
		const known = this.#names.get(key);
		if (known) return known;
		const name = `Refused${status}_${this.#names.size + 1}`;
		this.#names.set(key, name);
		const carrying = {type: 'object', properties: {error_code: {type: 'string', enum: codes}}};
		const schema = {allOf: [{$ref: '#/components/schemas/Error'}, carrying]};
		this.components[name] = {
			description: codes.map(code => `\`${code}\``).join(', '),
			content: {'application/json': {schema}},
		};
		return name;
	}
}

/** The OpenAPI 3.1 text of the interface, made of the schemas that its routes check by. */
export function openApiDocument({routes, brand, version}: DocumentOptions): OpenApiDocument {
	const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
	const refusals = new Refusals();
	for (const route of routes) {
		for (const [index, path] of [route.path, ...(route.aliases ?? [])].entries()) {
			const template = templateOf(path);
			paths[template] ??= {};
			paths[template][route.method.toLowerCase()] = operationOf(route, path, index > 0, refusals);
		}
	}
	return createDocument({
		openapi: '3.1.0',
		info: {
			title: 'Millrace',
			version,
			description: `Activities in, exact funnels out. Other paths and methods: ${ELSEWHERE.map(code => `${statusOf(code)} \`${code}\``).join(', ')}.`,
		},
		servers: [{url: '/'}],
		paths: paths as ZodOpenApiPathsObject,
		components: {
			schemas: {Error: ErrorAnswer},
			responses: refusals.components as never,
			securitySchemes: {
				token: {
					type: 'http',
					scheme: 'bearer',
					description: 'An access token or a long-term API token; also without the word Bearer',
				},
				worker: {
					type: 'http',
					scheme: 'basic',
					description: 'Worker id and authentication token of a plugin worker',
				},
				...Object.fromEntries(
					['Mac', 'Key-Id', 'Ts'].map(part => [
						`signature${part.replace('-', '')}`,
						{type: 'apiKey', in: 'header', name: `X-${brand}-${part}`},
					]),
				),
			},
		},
	});
}

/** `/v1/a/:id` -> `/v1/a/{id}`; also inside a segment, as in `locale=:locale`. */
export function templateOf(path: string): string {
	return path.replace(/:(\w+)/g, '{$1}');
}

function operationOf(
	route: Route,
	path: string,
	isAlias: boolean,
	refusals: Refusals,
): ZodOpenApiOperationObject {
	const params = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
	const pathParams = z.object(Object.fromEntries(params.map(name => [name, z.string()])));
	return {
		operationId: operationIdOf(route.method, path),
		summary: route.summary,
		tags: [tagOf(path)],
		...(isAlias && {description: `The same as ${route.method} ${templateOf(route.path)}`}),
		security: securityOf(route),
		requestParams: {
			...(params.length > 0 && {path: pathParams}),
			...(route.query && {query: route.query as z.ZodObject}),
		},
		...requestBodyOf(route),
		responses: {...answerOf(route), ...refusals.of(errorsOf(route))},
	} as ZodOpenApiOperationObject;
}

function requestBodyOf(route: Route) {
	if (route.body === undefined) return {};
	if (typeof route.body === 'object') {
		return {requestBody: {required: true, content: {'application/json': {schema: route.body}}}};
	}
	const accepts = route.accepts ?? {'application/octet-stream': 'bytes' as const};
	const content = Object.fromEntries(
		Object.entries(accepts).map(([type, schema]) => [type, {schema: schema === 'bytes' ? BYTES : schema}]),
	);
	return {requestBody: {required: true, content}};
}

const BYTES = {type: 'string' as const, format: 'binary'};

function answerOf({answer}: Route) {
	const hasBytes = answer === 'bytes' || (answer !== undefined && 'bytesOr' in answer);
	const envelope = answer === 'bytes' ? undefined : {schema: envelopeOf(answer)};
	return {
		'200': {
			description: hasBytes ? 'The bytes, without an envelope' : 'Done',
			content: {
				...(envelope && {'application/json': envelope}),
				...(hasBytes && {'*/*': {schema: BYTES}}),
			},
		},
		...(hasBytes && {'304': {description: 'The caller has them already (`If-None-Match`)'}}),
	};
}

/** The whole answer of a route that is not bytes. */
export function envelopeOf(answer: Exclude<Route['answer'], 'bytes'>): z.ZodType {
	const status = z.literal('ok');
	if (answer === undefined) return z.object({status});
	if ('bytesOr' in answer) return z.object({status, data: answer.bytesOr});
	if ('page' in answer) return z.looseObject({status, data: z.array(answer.page), ...PAGE});
	return z.looseObject({status, data: answer});
}

function securityOf({action}: Route): Record<string, string[]>[] {
	if (POLICY[action] === 'public') return [];
	const signed = {signatureMac: [], signatureKeyId: [], signatureTs: []};
	return [{token: []}, {worker: []}, ...(mayBeSigned(action) ? [signed] : [])];
}

/** `GET /v1/datamarts/:datamartId/channels` -> `getDatamartsByDatamartIdChannels`. */
function operationIdOf(method: string, path: string): string {
	const words = path
		.replace(/^\/v1\//, '')
		.replace(/:(\w+)/g, (_, name: string) => `by ${name}`)
		.split(/[^A-Za-z0-9]+/)
		.filter(word => word !== '');
	return method.toLowerCase() + words.map(word => word[0]!.toUpperCase() + word.slice(1)).join('');
}

/** What it is about: the last word of its path before a record of it is named. */
function tagOf(path: string): string {
	const [, , first = '', , second] = path.split('/');
	const noun = (first === 'datamarts' || first === 'organisations') && second ? second : first;
	return noun.split(/[.=]/)[0]!.replace(/_/g, ' ');
}
