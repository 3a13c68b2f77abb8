import {DomainError} from '../../errors.ts';
import {parseJson, textOf} from '../../http/body.ts';
import {ok} from '../../http/envelope.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {elementBytes} from '../../lib/json-elements.ts';
import type {TenantView} from '../../tenants/directory.ts';
import {channelOf} from '../channel-tokens/channel-tokens.ts';
import type {Ingestion} from '../ingestion.ts';
import {type Accepted, acceptMany, acceptOne, type Incoming} from './accept.ts';
import {idempotencyKeyOf} from './activity-keys.ts';
import type {Noted} from './keep-once.ts';
import {ACTIVITY_REFUSALS, AcceptedOnWire, AcceptQuery, ActivitiesRequest} from './user-activities.schema.ts';

export interface UserActivitiesServices {
	readonly ingestion: Ingestion;
	readonly directory: TenantView;
}

interface Flags {
	async: boolean;
	processing_pipeline: boolean;
}

/** The doors of activities: one, an array, or one a line (decisions.md, Activities). */
export function userActivitiesRoutes({ingestion, directory}: UserActivitiesServices): Route[] {
	const context = {...ingestion, directory};

	async function accept(request: RouteRequest<undefined, Flags>) {
		const {datamart, principal, bytes, headers, query} = request;
		const door = {
			datamart,
			userAgent: headers['user-agent'] ?? '',
			channel: channelOf(principal, directory),
			idempotencyKey: idempotencyKeyOf(headers['idempotency-key']),
			mac: request.mac,
			analysed: query.processing_pipeline,
			noted: query.async ? undefined : {arrivals: [], found: []},
		};
		if (isNdjson(headers['content-type'])) {
			const lines = parseLines(bytes);
			refuseTooMany(lines.length);
			request.charge(lines.length - 1);
			return answerMany(await acceptMany(context, {...door, name: 'many'}, lines), door.noted);
		}
		const value = parseJson(bytes);
		if (Array.isArray(value)) {
			refuseTooMany(value.length);
			request.charge(Math.max(0, value.length - 1));
			const texts = elementBytes(bytes);
			const elements = value.map((element, index) => ({value: element, bytes: texts[index]!}));
			return answerMany(await acceptMany(context, {...door, name: 'many'}, elements), door.noted);
		}
		const arrival = await acceptOne(context, door, {value, bytes});
		if (door.noted) await ingestion.whenQueryable(arrival, door.noted);
		return ok(true);
	}

	async function answerMany({records, lastArrival}: Accepted, noted: Noted | undefined) {
		if (noted) await ingestion.whenQueryable(lastArrival, noted);
		return ok({records});
	}

	return [
		route({
			method: 'POST',
			path: '/v1/datamarts/:datamartId/user_activities',
			summary: 'Accept user activities: a JSON object, a JSON array, or ndjson',
			action: 'activities:write',
			answer: AcceptedOnWire,
			errors: [...ACTIVITY_REFUSALS, 'records_excessive', 'not_yet_queryable'],
			accepts: {
				'application/json': ActivitiesRequest,
				'application/x-ndjson': 'bytes',
			},
			busy: true,
			body: 'raw',
			query: AcceptQuery,
			handle: request => accept(request as unknown as RouteRequest<undefined, Flags>),
		}),
	];
}

/** A request's records are checked in one go: more of them would hold up everybody else. */
const MAX_RECORDS = 10_000;

function refuseTooMany(records: number): void {
	if (records <= MAX_RECORDS) return;
	throw new DomainError('records_excessive', `${records} records; at most ${MAX_RECORDS} a request`);
}

function isNdjson(contentType: string | undefined): boolean {
	return /^application\/(x-)?ndjson|^application\/jsonl/i.test(contentType ?? '');
}

/** A line that is not JSON is broken framing: nothing is stored. */
function parseLines(bytes: Buffer): Incoming[] {
	const values: Incoming[] = [];
	for (const [index, line] of textOf(bytes).split('\n').entries()) {
		if (line.trim() === '') continue;
		try {
			values.push({value: JSON.parse(line), bytes: Buffer.from(line)});
		} catch (error) {
			const message = `line ${index + 1} is not valid JSON: ${(error as Error).message.slice(0, 200)}`;
			throw new DomainError('json_malformed', message, {faults: [{pointer: `/${index}`, message}]});
		}
	}
	if (values.length === 0) throw new DomainError('body_missing', 'at least one activity is needed');
	return values;
}
