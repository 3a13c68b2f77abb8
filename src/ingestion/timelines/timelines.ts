import type {Warehouse} from '../../warehouse/warehouse.ts';
import type {WireActivity} from '../facts/activity.ts';
import {parseKeepingNumbers} from '../facts/activity-text.ts';
import type {ReadIdentifier, UserPointsStore} from '../user-points/user-points.store.ts';
import {timelineActivities, timelineCount} from './timelines.query.ts';

export interface TimelineContext {
	readonly warehouse: Warehouse;
	readonly userPoints: UserPointsStore;
}

export interface TimelinePage {
	readonly datamartId: number;
	readonly userPointId: number;
	readonly firstResult: number;
	readonly maxResults: number;
}

/** The activities of a user point and of all that merged into it, as they were sent, newest first. */
export async function userTimeline({warehouse, userPoints}: TimelineContext, page: TimelinePage) {
	const {datamartId, firstResult, maxResults} = page;
	const timeline = {datamartId, userPointIds: await userPoints.idsUnder(page.userPointId)};
	const [{rows}, count] = await Promise.all([
		warehouse.read(timelineActivities, {...timeline, firstResult, maxResults}),
		warehouse.read(timelineCount, timeline),
	]);
	const activities = rows.map(row => parseKeepingNumbers(row.activity));
	const references = activities.flatMap(activity => referencesIn(activity).map(({id}) => id));
	const identifiers = await userPoints.identifiersById([...new Set(references)]);
	for (const activity of activities) restore(activity, identifiers);
	return {items: activities, total: count.rows[0]?.total ?? 0};
}

interface Reference {
	readonly id: number;
	readonly holder: Record<string, unknown>;
	readonly key: string;
}

const KEYS = ['$user_account_id', '$user_agent_id', '$hash'];

/** Where a kept activity refers to identifiers: a number where a sender can only put a text. */
function referencesIn(kept: Record<string, unknown>): Reference[] {
	const activity = kept as unknown as WireActivity;
	const holders = [...(activity.$user_identifiers ?? []), activity, activity.$email_hash ?? {}];
	return holders.flatMap(holder =>
		KEYS.flatMap(key => {
			const value = (holder as Record<string, unknown>)[key];
			const id =
				typeof value === 'object' || typeof value === 'number' ? Number(value ?? Number.NaN) : Number.NaN;
			return Number.isSafeInteger(id) ? [{id, holder: holder as Record<string, unknown>, key}] : [];
		}),
	);
}

/** Puts the texts back; a deleted identifier's place stays, empty. */
function restore(activity: Record<string, unknown>, identifiers: ReadonlyMap<number, ReadIdentifier>): void {
	for (const {id, holder, key} of referencesIn(activity)) {
		const identifier = identifiers.get(id);
		holder[key] = identifier?.text ?? null;
		if (key === '$hash' && identifier?.email !== undefined) holder.$email = identifier.email;
	}
}
