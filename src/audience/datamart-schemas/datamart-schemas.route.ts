import {ok, RawAnswer} from '../../http/envelope.ts';
import {okPage, PagingQuery, pageOf, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import {DatamartSchemaAnswer, datamartSchemaToWire} from './datamart-schemas.schema.ts';
import type {DatamartSchemaStore} from './datamart-schemas.store.ts';
import {changeSchema, getSchema, schemaOf} from './datamart-schemas.ts';

const LIST = '/v1/datamarts/:datamartId/graphdb_runtime_schemas';
const ONE = `${LIST}/:schemaId`;

/** What final values are checked against: read and replaced as text. */
export function datamartSchemaRoutes(store: DatamartSchemaStore): Route[] {
	const idOf = ({params}: Pick<RouteRequest<unknown, unknown>, 'params'>) => parseId(params.schemaId ?? '');
	return [
		route({
			method: 'GET',
			path: LIST,
			summary: 'Schemas of a datamart: the one that holds',
			action: 'datamart_schemas:read',
			query: PagingQuery,
			answer: {page: DatamartSchemaAnswer},
			async handle({datamart, query}) {
				const paging = toPaging(query);
				const schema = await schemaOf(store, datamart);
				return okPage(pageOf([datamartSchemaToWire(schema)], paging), paging);
			},
		}),
		route({
			method: 'GET',
			path: ONE,
			summary: 'One schema of a datamart',
			action: 'datamart_schemas:read',
			answer: DatamartSchemaAnswer,
			errors: ['datamart_schema_not_found'],
			async handle(request) {
				return ok(datamartSchemaToWire(await getSchema(store, request.datamart, idOf(request))));
			},
		}),
		route({
			method: 'GET',
			path: `${ONE}/text`,
			summary: 'The text of a schema, in GraphQL’s schema language',
			action: 'datamart_schemas:read',
			answer: 'bytes',
			errors: ['datamart_schema_not_found'],
			async handle(request) {
				const {text} = await getSchema(store, request.datamart, idOf(request));
				return new RawAnswer(Buffer.from(text), 'text/plain; charset=utf-8');
			},
		}),
		route({
			method: 'PUT',
			path: `${ONE}/text`,
			summary: 'Replace the text of a schema; values that were imported before stay',
			action: 'datamart_schemas:write',
			audit: 'datamart_schema_changed',
			body: 'raw',
			answer: DatamartSchemaAnswer,
			errors: ['datamart_schema_not_found', 'field_invalid'],
			async handle(request) {
				const text = request.bytes.toString('utf8');
				return ok(datamartSchemaToWire(await changeSchema(store, request.datamart, idOf(request), text)));
			},
		}),
	];
}
