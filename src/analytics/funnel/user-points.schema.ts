import {createHash} from 'node:crypto';
import {z} from 'zod';
import {addFault} from '../../query/inputs.ts';
import {AsOfText, asOfText, type Moment, packed, unpacked} from './as-of.schema.ts';
import {FunnelBody, type FunnelRequest, toFunnelRequest} from './funnel.schema.ts';

const MOST_RESULTS = 500;
const USUAL_RESULTS = 50;
/** The engine keeps as many of the smallest ids as lie before the page's end; a cursor has no such bound. */
const LAST_RESULT = 10_000_000;

const FirstResult = z.coerce.number().int().min(0).max(LAST_RESULT);
const MaxResults = z.coerce.number().int().min(1).max(MOST_RESULTS);
const absent = (value: unknown) => value ?? undefined;

/** Lists are asked by POST: their paging words may stand in the query as everywhere, or in the body, which wins. */
export const UserPointsQuery = z.looseObject({
	first_result: FirstResult.optional(),
	max_results: MaxResults.optional(),
});

const Cursor = z.tuple([z.string(), z.string(), z.string().regex(/^\d{1,19}$/), z.number().int().min(0)]);

/** Where a list goes on. */
export interface GoOn {
	readonly moment: Moment;
	/** The last user point that was listed, in decimal digits. */
	readonly after: string;
	/** How many were. */
	readonly listed: number;
}

/** A funnel, and which of its user points to list. */
export const UserPointsRequest = FunnelBody.extend({
	/** Its place from 1, or its name. */
	step: z.union([z.number(), z.string()]),
	/** Those who reached the step before and not this one. */
	lost: z.boolean().nullish(),
	first_result: z.preprocess(absent, FirstResult.optional()),
	max_results: z.preprocess(absent, MaxResults.optional()),
	/** Of the page before. */
	cursor: z
		.string()
		.max(2 ** 20)
		.nullish(),
}).transform((body, context) => {
	const request = toFunnelRequest(body, context);
	const step = stepOf(request, body.step, context);
	const lost = body.lost ?? false;
	if (request.sampleFactor !== 1) {
		addFault(context, 'field_invalid', 'a list is of all user points, never of a sample', ['sample_factor']);
	}
	const digest = digestOf(request, step, lost);
	const goOn = body.cursor ? goOnOf(body.cursor, digest) : undefined;
	if (body.cursor && !goOn) {
		addFault(context, 'field_invalid', 'is not what the page before of this list told', ['cursor']);
	}
	if (body.cursor && body.first_result !== undefined) {
		addFault(context, 'field_invalid', 'a cursor knows by itself where it goes on', ['first_result']);
	}
	return {
		request,
		step,
		lost,
		digest,
		goOn,
		firstResult: body.first_result,
		maxResults: body.max_results,
	};
});
export type UserPointsRequest = z.output<typeof UserPointsRequest>;

export interface UserPointsPaging {
	readonly firstResult: number;
	readonly maxResults: number;
}

export function pagingOf(
	{goOn, firstResult, maxResults}: UserPointsRequest,
	query: z.output<typeof UserPointsQuery>,
): UserPointsPaging {
	return {
		firstResult: goOn ? goOn.listed : (firstResult ?? query.first_result ?? 0),
		maxResults: maxResults ?? query.max_results ?? USUAL_RESULTS,
	};
}

export function cursorText({moment, after, listed}: GoOn, digest: string): string {
	return packed([asOfText(moment), digest, after, listed]);
}

export const UserPointWire = z.object({
	user_point_id: z.string(),
	/** The deepest step of its chain, from 1; 0: it never entered. */
	reached_step: z.number(),
	/** Epoch ms of the row that reached the step asked for; of those lost at it, the step before; null where there is none. */
	ts: z.number().nullable(),
});

function goOnOf(cursor: string, digest: string): GoOn | undefined {
	const parts = Cursor.safeParse(unpacked(cursor));
	if (!parts.success || parts.data[1] !== digest) return undefined;
	const moment = AsOfText.safeParse(parts.data[0]);
	return moment.success ? {moment: moment.data, after: parts.data[2], listed: parts.data[3]} : undefined;
}

/** A number is the step's place from 1; a text its name, or else its place in digits. */
function stepOf(request: FunnelRequest, asked: number | string, context: z.RefinementCtx): number {
	const refuse = (message: string) => {
		addFault(context, 'field_invalid', message, ['step']);
		return 1;
	};
	const named = request.steps.flatMap(({name}, index) => (name === asked ? [index + 1] : []));
	if (named.length > 1) return refuse('several steps bear this name: ask by number');
	if (named.length === 1) return named[0]!;
	const place = typeof asked === 'string' && !/^\d+$/.test(asked) ? Number.NaN : Number(asked);
	if (Number.isInteger(place) && place >= 1 && place <= request.steps.length) return place;
	return refuse(`no such step: a name, or a number from 1 to ${request.steps.length}`);
}

/** Of the question, not of how it is read. */
function digestOf(request: FunnelRequest, step: number, lost: boolean): string {
	const {steps, period, exclusions, holding} = request;
	const question = JSON.stringify([steps, period, exclusions, holding, step, lost]);
	return createHash('sha256').update(question).digest('base64url').slice(0, 16);
}
