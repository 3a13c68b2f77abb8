import type {ReadOptions, Warehouse} from '../../warehouse/warehouse.ts';
import type {WireActivity} from '../facts/activity.ts';
import {parseKeepingNumbers} from '../facts/activity-text.ts';
import {type IdentifierSlot, identifierSlots} from '../user-points/identifiers.ts';
import type {ReadIdentifier, UserPointsStore} from '../user-points/user-points.store.ts';
import {timelineActivities, timelineCount} from './timelines.query.ts';

export interface TimelineContext {
	readonly warehouse: Warehouse;
	readonly userPoints: UserPointsStore;
	readonly read?: ReadOptions;
}

export interface TimelinePage {
	readonly datamartId: number;
	readonly userPointId: number;
	readonly firstResult: number;
	readonly maxResults: number;
}

/** The activities of a user point and of all that merged into it, as they were sent, newest first. */
export async function userTimeline({warehouse, userPoints, read}: TimelineContext, page: TimelinePage) {
	const {datamartId, firstResult, maxResults} = page;
	const timeline = {datamartId, userPointIds: await userPoints.idsUnder(page.userPointId)};
	const [{rows}, count] = await Promise.all([
		warehouse.read(timelineActivities, {...timeline, firstResult, maxResults}, read),
		warehouse.read(timelineCount, timeline, read),
	]);
	const activities = rows.map(row => parseKeepingNumbers(row.activity));
	const ids = activities.flatMap(activity => referencesIn(activity).map(({id}) => id));
	const identifiers = await userPoints.identifiersById(datamartId, [...new Set(ids)]);
	for (const activity of activities) restore(activity, identifiers);
	return {items: activities, total: count.rows[0]?.total ?? 0};
}

interface Reference extends IdentifierSlot {
	readonly id: number;
}

/** Where a kept activity refers to identifiers: a number where a sender can only put a text. */
function referencesIn(kept: Record<string, unknown>): Reference[] {
	return identifierSlots(kept as unknown as WireActivity).flatMap(slot => {
		const value = slot.holder[slot.key];
		// A number that was kept with all its digits is an object of lossless-json.
		const id = typeof value === 'string' ? Number.NaN : Number(value);
		return Number.isSafeInteger(id) ? [{...slot, id}] : [];
	});
}

/** Puts the texts back; a deleted identifier's place stays, empty. */
function restore(activity: Record<string, unknown>, identifiers: ReadonlyMap<number, ReadIdentifier>): void {
	for (const {id, kind, holder, key} of referencesIn(activity)) {
		const identifier = identifiers.get(id);
		holder[key] = identifier?.text ?? null;
		if (kind === 'USER_EMAIL' && Number(holder.$email) === id) holder.$email = identifier?.email ?? null;
	}
}
