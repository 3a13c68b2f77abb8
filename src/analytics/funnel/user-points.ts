import {asOfText, type Moment} from './as-of.schema.ts';
import {type MomentContext, presentMoment} from './moment.ts';
import {type FunnelContext, questionOf} from './question.ts';
import {funnelUserPoints} from './user-points.query.ts';
import {cursorText, type UserPointsPaging, type UserPointsRequest} from './user-points.schema.ts';

/** As on the wire. */
export interface ListedUserPoint {
	readonly user_point_id: string;
	readonly reached_step: number;
	readonly ts: number | null;
}

export interface UserPointsPage {
	readonly items: readonly ListedUserPoint[];
	/** As many as the same funnel counts as of the same moment. */
	readonly total: number;
	/** What the funnel's `as_of` takes. */
	readonly asOf: string;
	/** Where the list goes on; null at its end. */
	readonly cursor: string | null;
}

/**
 * The user points behind a step's count, or those lost at it, by ascending id, as of the moment of the first page.
 * Errors: `field_invalid`, and those of the warehouse.
 */
export async function funnelUserPointsPage(
	context: FunnelContext & MomentContext,
	{request, step, lost, goOn, digest}: UserPointsRequest,
	{firstResult, maxResults}: UserPointsPaging,
): Promise<UserPointsPage> {
	const moment: Moment = goOn?.moment ?? request.asOf ?? (await presentMoment(context));
	const asOf = asOfText(moment);
	const {question} = await questionOf(context, {...request, asOf: moment});
	if (question.scope.range.fromMs >= question.scope.range.untilMs) {
		return {items: [], total: 0, asOf, cursor: null};
	}
	const asked = {
		question,
		step,
		lost,
		after: goOn?.after ?? '0',
		skip: goOn ? 0 : firstResult,
		// One more tells whether there is a page after this one.
		take: maxResults + 1,
	};
	const {rows} = await context.warehouse.read(funnelUserPoints, asked, context.read);
	const {total, user_points: found} = rows[0] ?? {total: 0, user_points: []};
	const listed = found.slice(0, maxResults);
	const last = listed.at(-1);
	const more = last !== undefined && found.length > maxResults;
	return {
		items: listed.map(([id, depth, ms]) => ({
			user_point_id: id,
			reached_step: depth,
			ts: depth === 0 ? null : ms,
		})),
		total,
		asOf,
		cursor: more ? cursorText({moment, after: last[0], listed: firstResult + listed.length}, digest) : null,
	};
}
