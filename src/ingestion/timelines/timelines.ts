import type {ReadOptions, Warehouse} from '../../warehouse/warehouse.ts';
import type {WireActivity} from '../facts/activity.ts';
import {parseKeepingNumbers} from '../facts/activity-text.ts';
import {type IdentifierSlot, identifierSlots} from '../user-points/identifiers.ts';
import type {ReadIdentifier, UserPointsStore} from '../user-points/user-points.store.ts';
import {lastActivities, timelineActivities, timelineCount} from './timelines.query.ts';

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
	const {rows} = await warehouse.read(timelineActivities, {...timeline, firstResult, maxResults}, read);
	// A page that is not full is the last one and tells the total by itself: half of what a short timeline costs.
	const isLast = rows.length < maxResults && (rows.length > 0 || firstResult === 0);
	const total = isLast ? firstResult + rows.length : await countOf();
	const activities = rows.map(row => parseKeepingNumbers(row.activity));
	const ids = activities.flatMap(activity => referencesIn(activity).map(({id}) => id));
	const identifiers = await userPoints.identifiersById(datamartId, [...new Set(ids)]);
	for (const activity of activities) restore(activity, identifiers);
	return {items: activities, total};

	async function countOf(): Promise<number> {
		return (await warehouse.read(timelineCount, timeline, read)).rows[0]?.total ?? 0;
	}
}

export interface SeenIdentifier extends ReadIdentifier {
	/** Of the newest activity it was in; before any, when it was learnt. */
	readonly lastActivityMs: number;
}

/** The identifiers of a user point, oldest first, each with the time it was last seen. */
export async function userIdentifiers(
	{warehouse, userPoints, read}: TimelineContext,
	{datamartId, userPointId}: {readonly datamartId: number; readonly userPointId: number},
): Promise<SeenIdentifier[]> {
	const userPointIds = await userPoints.idsUnder(userPointId);
	const [identifiers, {rows}] = await Promise.all([
		userPoints.identifiersOf(userPointId),
		warehouse.read(lastActivities, {datamartId, userPointIds}, read),
	]);
	const lastMs = new Map(rows.map(row => [row.identifier_id, row.last_ms]));
	return identifiers.map(each => ({
		...each,
		lastActivityMs: lastMs.get(each.identifierId) ?? each.createdMs,
	}));
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
