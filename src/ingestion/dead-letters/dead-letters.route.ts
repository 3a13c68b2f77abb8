import {notFound} from '../../errors.ts';
import {Nothing, ok, RawAnswer} from '../../http/envelope.ts';
import {okPage, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import type {TenantView} from '../../tenants/directory.ts';
import {stringifyKeepingNumbers} from '../facts/activity-text.ts';
import type {Ingestion} from '../ingestion.ts';
import {ACTIVITY_REFUSALS, AcceptQuery} from '../user-activities/user-activities.schema.ts';
import {
	DeadLetterOnWire,
	DeadLettersQuery,
	letterToWire,
	ReadLetterOnWire,
	Replayed,
	readLetterToWire,
} from './dead-letters.schema.ts';
import {listDeadLetters, readDeadLetter, removeDeadLetter, replayDeadLetter} from './dead-letters.ts';

export interface DeadLettersServices {
	readonly ingestion: Pick<Ingestion, 'journal' | 'deadLetters' | 'replays' | 'meters' | 'whenQueryable'>;
	readonly directory: TenantView;
}

const LIST = '/v1/datamarts/:datamartId/dead_letters';
const ONE = `${LIST}/:deadLetterId`;

/** What was accepted and could not be processed: administrators read it, send it on its way again, or remove it. */
export function deadLettersRoutes({ingestion, directory}: DeadLettersServices): Route[] {
	const {journal, meters, replays, deadLetters: letters} = ingestion;
	const context = {letters, directory, journal, replays, meters};
	return [
		route({
			method: 'GET',
			path: LIST,
			summary: 'Dead letters of a datamart, oldest first',
			action: 'dead_letters:read',
			answer: {page: DeadLetterOnWire},
			query: DeadLettersQuery,
			async handle({datamart, query}) {
				const paging = toPaging(query);
				const page = await listDeadLetters(context, datamart, query.reason, paging);
				return okPage({...page, items: page.items.map(letterToWire)}, paging);
			},
		}),
		route({
			method: 'GET',
			path: ONE,
			summary: 'One dead letter, with its activity as it was accepted and what is wrong with it',
			action: 'dead_letters:read',
			answer: ReadLetterOnWire,
			async handle(request) {
				const letter = await readDeadLetter(context, named(request));
				const text = stringifyKeepingNumbers(ok(readLetterToWire(letter)));
				return new RawAnswer(Buffer.from(text), 'application/json; charset=utf-8');
			},
		}),
		route({
			method: 'POST',
			path: `${ONE}/replay`,
			summary: 'Process a dead letter again: its own activity, or the corrected one in the body',
			action: 'dead_letters:write',
			answer: Replayed,
			errors: [
				...ACTIVITY_REFUSALS,
				'dead_letter_replayed',
				'dead_letter_not_replayable',
				'not_yet_queryable',
			],
			accepts: {'application/json': 'bytes'},
			audit: 'dead_letter_replayed',
			body: 'raw',
			query: AcceptQuery,
			async handle(request) {
				const {bytes, query} = request as unknown as RouteRequest<undefined, {async: boolean}>;
				const {datamart, id} = named(request);
				const corrected = bytes.length > 0 ? bytes : undefined;
				const arrival = await replayDeadLetter(context, {datamart, id}, corrected);
				if (!query.async) await ingestion.whenQueryable(arrival);
				return ok({id: String(id), result: 'accepted'});
			},
		}),
		route({
			method: 'DELETE',
			path: ONE,
			summary: 'Remove a dead letter and its activity',
			action: 'dead_letters:write',
			answer: Nothing,
			audit: 'dead_letter_removed',
			async handle(request) {
				await removeDeadLetter(context, named(request));
				return ok({});
			},
		}),
	];
}

function named({datamart, params}: Pick<RouteRequest<unknown, unknown>, 'datamart' | 'params'>) {
	const id = parseId(params.deadLetterId ?? '');
	if (id === undefined) throw notFound('dead_letter_not_found');
	return {datamart, id};
}
