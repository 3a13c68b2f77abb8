import {ok} from '../../http/envelope.ts';
import {type Route, route} from '../../http/route.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {Ingestion} from '../ingestion.ts';
import {AssociationAnswer, AssociationBody, AssociationQuery} from './identifier-associations.schema.ts';
import {associate} from './identifier-associations.ts';

export interface AssociationServices {
	readonly ingestion: Pick<Ingestion, 'journal' | 'whenQueryable'>;
	readonly directory: TenantView;
}

/** One declaration at a time; files of them are document imports. */
export function identifierAssociationRoutes({ingestion, directory}: AssociationServices): Route[] {
	return [
		route({
			method: 'POST',
			path: '/v1/datamarts/:datamartId/user_identifiers_association_declarations',
			summary: 'Declare that identifiers belong to one person; answered once they resolve to one user point',
			action: 'identifiers:write',
			body: AssociationBody,
			query: AssociationQuery,
			answer: AssociationAnswer,
			errors: ['compartment_unknown', 'identifier_refused', 'not_yet_queryable'],
			async handle({datamart, body, query}) {
				const arrival = await associate({journal: ingestion.journal, directory}, datamart, body);
				if (!query.async) await ingestion.whenQueryable(arrival);
				return ok({});
			},
		}),
	];
}
