import {notFound} from '../../errors.ts';
import {findUserPoint, type Selector} from '../../ingestion/user-points/selectors.ts';
import {tsvText} from '../../lib/tsv.ts';
import type {Datamart} from '../../tenants/directory.ts';
import type {ReadOptions, Warehouse} from '../../warehouse/warehouse.ts';
import {type MembershipRow, membershipRows} from './user-segments.query.ts';
import type {MembershipRequest} from './user-segments.schema.ts';

/** A person in a segment; instants are epoch milliseconds. */
export interface Membership {
	readonly segmentId: string;
	/** JSON text as it was given; '' for none. */
	readonly dataBag: string;
	readonly createdMs: number;
	readonly modifiedMs: number;
	/** From here on they are no member; undefined: until they leave. */
	readonly expiresMs: number | undefined;
}

export interface SegmentServices {
	readonly warehouse: Warehouse;
	/** User points as ingestion keeps them: found by a selector, with all that merged into them. */
	readonly userPoints: Parameters<typeof findUserPoint>[0] & {
		idsUnder(userPointId: number): Promise<number[]>;
	};
	readonly read?: ReadOptions;
}

const NO_END = '18446744073709551615';
const LEFT = '0';

/** The segments a person is in now, in order of id; what was written for a merged user point is theirs. */
export async function segmentsOf(
	services: SegmentServices,
	datamart: Datamart,
	selector: Selector,
	nowMs: number = Date.now(),
): Promise<Membership[]> {
	const {rows} = await person(services, datamart, selector);
	return membershipsOf(rows).filter(each => isMember(each, nowMs));
}

/** Makes a member, or changes a membership; a filter by segment knows it once this resolves. */
export async function enterSegment(
	services: SegmentServices,
	datamart: Datamart,
	selector: Selector,
	{segmentId, dataBag, expiresMs}: MembershipRequest & {readonly segmentId: string},
	nowMs: number = Date.now(),
): Promise<Membership> {
	const {userPointId, rows} = await person(services, datamart, selector);
	const former = rows.filter(row => row.segmentId === segmentId);
	const current = membershipsOf(former).find(each => isMember(each, nowMs));
	const membership: Membership = {
		segmentId,
		dataBag,
		createdMs: current?.createdMs ?? nowMs,
		modifiedMs: nowMs,
		expiresMs,
	};
	// What stands under a merged user point would go on counting: it is written over.
	const others = former.filter(row => row.userPointId !== userPointId && isMember(row, nowMs));
	await writeMemberships(services.warehouse, datamart, [
		...others.map(row => ({...row, modifiedMs: nowMs, expiresMs: 0, dataBag: ''})),
		{...membership, userPointId},
	]);
	return membership;
}

/** Error: `user_segment_not_found` where the person is no member. */
export async function leaveSegment(
	services: SegmentServices,
	datamart: Datamart,
	selector: Selector,
	segmentId: string,
	nowMs: number = Date.now(),
): Promise<void> {
	const {rows} = await person(services, datamart, selector);
	const left = rows.filter(row => row.segmentId === segmentId && isMember(row, nowMs));
	if (left.length === 0) throw notFound('user_segment_not_found');
	await writeMemberships(
		services.warehouse,
		datamart,
		left.map(row => ({...row, modifiedMs: nowMs, expiresMs: 0, dataBag: ''})),
	);
}

async function person(
	{warehouse, userPoints, read}: SegmentServices,
	datamart: Datamart,
	selector: Selector,
) {
	const userPointId = await findUserPoint(userPoints, datamart, selector);
	const userPointIds = await userPoints.idsUnder(userPointId);
	const {rows} = await warehouse.read(membershipRows, {datamartId: datamart.id, userPointIds}, read);
	return {userPointId, rows};
}

/**
 * Several user points that merged may have been in one segment: since the earliest creation, until the latest end,
 * with what was written last.
 */
export function membershipsOf(rows: readonly MembershipRow[]): Membership[] {
	const bySegment = new Map<string, Membership>();
	for (const row of rows.filter(({expiresMs}) => expiresMs !== 0)) {
		const {userPointId: _, ...membership} = row;
		const other = bySegment.get(row.segmentId);
		bySegment.set(row.segmentId, other ? joined(other, membership) : membership);
	}
	return [...bySegment.values()];
}

function joined(a: Membership, b: Membership): Membership {
	const last = a.modifiedMs > b.modifiedMs ? a : b;
	const hasNoEnd = a.expiresMs === undefined || b.expiresMs === undefined;
	return {
		...last,
		createdMs: Math.min(a.createdMs, b.createdMs),
		expiresMs: hasNoEnd ? undefined : Math.max(a.expiresMs, b.expiresMs),
	};
}

export function isMember({expiresMs}: Pick<Membership, 'expiresMs'>, nowMs: number): boolean {
	return expiresMs === undefined || expiresMs > nowMs;
}

/** One insert: all of it or nothing, and with it what the filter reads. */
export async function writeMemberships(
	warehouse: Warehouse,
	datamart: Datamart,
	rows: readonly (Membership & {readonly userPointId: number})[],
): Promise<void> {
	const lines = rows.map(row =>
		[
			datamart.id,
			row.userPointId,
			tsvText(row.segmentId),
			row.createdMs,
			row.modifiedMs,
			row.expiresMs === undefined ? NO_END : row.expiresMs === 0 ? LEFT : row.expiresMs,
			tsvText(row.dataBag),
		].join('\t'),
	);
	await warehouse.write({
		table: 'segment_memberships_v1',
		columns: [
			...['datamart_id', 'user_point_id', 'segment_id'],
			...['created_ms', 'modified_ms', 'expires_ms', 'data_bag'],
		],
		rows: rows.length,
		payload: Buffer.from(`${lines.join('\n')}\n`),
	});
}
