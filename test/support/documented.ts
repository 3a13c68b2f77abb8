import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js';
import {openApiDocument, templateOf} from '../../src/http/openapi/document.ts';
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
	readonly route: Route;
	readonly verb: string;
	readonly pattern: RegExp;
	readonly template: string;
	readonly statics: number;
	/** As the document has them; made when the first answer of it is looked at. */
	responses?: Readonly<Record<string, Response>>;
}
interface Response {
	readonly $ref?: string;
	readonly content?: Readonly<Record<string, unknown>>;
}

/** By the document of these routes, of which only what is asked for is made: most tests call a few. */
export function documentedBy(routes: readonly Route[]): Documented {
	const ajv = new Ajv2020({strict: false, validateFormats: false, validateSchema: false, allErrors: true});
	const operations = routes.flatMap(operationsOf);
	const compiled = new Map<string, ValidateFunction>();
	const validatorOf = (pointer: string) => {
		const known = compiled.get(pointer) ?? ajv.compile({$ref: pointer});
		compiled.set(pointer, known);
		return known;
	};

	return ({method, path, status, body}) => {
		const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
		const bare = path.split('?')[0]!;
		const [operation] = operations
			.filter(each => each.verb === verb && each.pattern.test(bare))
			.sort((a, b) => b.statics - a.statics);
		if (!operation || method === 'HEAD') return undefined;
		const {template, route} = operation;
		const name = `${method} ${template} -> ${status}`;
		const id = `document-${operations.indexOf(operation)}`;
		if (!operation.responses) {
			const document = JSON.parse(
				JSON.stringify(openApiDocument({routes: [route], brand: 'Svc', version: '1'})),
			);
			ajv.addSchema(document, id);
			operation.responses = document.paths[template][verb].responses as Record<string, Response>;
		}
		const response = operation.responses[status];
		if (!response) return `${name} is not in the document: ${JSON.stringify(body)?.slice(0, 300)}`;
		const place = response.$ref?.slice(1) ?? pointerTo('paths', template, verb, 'responses', status);
		const hasBytes = response.content?.['*/*'] !== undefined;
		const isJson =
			!hasBytes && (response.$ref !== undefined || response.content?.['application/json'] !== undefined);
		if (!isJson) return undefined;
		const validate = validatorOf(`${id}#${place}/content/application~1json/schema`);
		if (validate(body)) return undefined;
		return `${name} is not as documented: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)?.slice(0, 600)}`;
	};
}

function operationsOf(route: Route): Operation[] {
	return [route.path, ...(route.aliases ?? [])].map(path => {
		const template = templateOf(path);
		return {
			route,
			verb: route.method.toLowerCase(),
			pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
			template,
			statics: template.split('/').filter(part => !part.includes('{')).length,
		};
	});
}

function pointerTo(...parts: readonly (string | number)[]): string {
	return parts
		.map(part => `/${encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'))}`)
		.join('');
}
