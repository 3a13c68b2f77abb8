import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js';
import {openApiDocument} from '../../src/http/openapi/document.ts';
import type {Route} from '../../src/http/route.ts';

/** What the OpenAPI document is asked about an answer. */
interface Answered {
	readonly method: string;
	/** As called, query included. */
	readonly path: string;
	readonly status: number;
	/** Parsed where it was JSON, text otherwise. */
	readonly body: unknown;
}

/** What is wrong with an answer by the document; undefined where nothing is, or where the path is no route. */
export type Documented = (answered: Answered) => string | undefined;

interface Operation {
	readonly pattern: RegExp;
	readonly template: string;
	readonly statics: number;
	readonly responses: Readonly<Record<string, Response>>;
}
interface Response {
	readonly $ref?: string;
	readonly content?: Readonly<Record<string, unknown>>;
}

/** By the document of these routes, made when the first answer is looked at. */
export function documentedBy(routes: readonly Route[]): Documented {
	let made: ReturnType<typeof lookInto> | undefined;
	return answered => {
		made ??= lookInto(routes);
		return made(answered);
	};
}

function lookInto(routes: readonly Route[]): Documented {
	const document = JSON.parse(JSON.stringify(openApiDocument({routes, brand: 'Svc', version: '1'})));
	const ajv = new Ajv2020({strict: false, validateFormats: false, allErrors: true});
	ajv.addSchema({$id: 'document', ...document});
	const operations = new Map<string, Operation[]>();
	for (const [template, methods] of Object.entries<Record<string, {responses: Operation['responses']}>>(
		document.paths,
	)) {
		const pattern = new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
		for (const [method, {responses}] of Object.entries(methods)) {
			const statics = template.split('/').filter(part => !part.includes('{')).length;
			operations.set(method, [...(operations.get(method) ?? []), {pattern, template, statics, responses}]);
		}
	}
	const compiled = new Map<string, ValidateFunction>();
	const validatorOf = (pointer: string) => {
		const known = compiled.get(pointer) ?? ajv.compile({$ref: `document#${pointer}`});
		compiled.set(pointer, known);
		return known;
	};

	return ({method, path, status, body}) => {
		const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
		const bare = path.split('?')[0]!;
		const [operation] = (operations.get(verb) ?? [])
			.filter(({pattern}) => pattern.test(bare))
			.sort((a, b) => b.statics - a.statics);
		if (!operation || method === 'HEAD') return undefined;
		const name = `${method} ${operation.template} -> ${status}`;
		const response = operation.responses[status];
		if (!response) return `${name} is not in the document: ${JSON.stringify(body)?.slice(0, 300)}`;
		const place =
			response.$ref?.slice(1) ?? pointerTo('paths', operation.template, verb, 'responses', status);
		const hasBytes = response.content?.['*/*'] !== undefined;
		const isJson =
			!hasBytes && (response.$ref !== undefined || response.content?.['application/json'] !== undefined);
		if (!isJson) return undefined;
		const validate = validatorOf(`${place}/content/application~1json/schema`);
		if (validate(body)) return undefined;
		return `${name} is not as documented: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)?.slice(0, 600)}`;
	};
}

function pointerTo(...parts: readonly (string | number)[]): string {
	return parts
		.map(part => `/${encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'))}`)
		.join('');
}
