import type {Datamart} from '../../tenants/directory.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import {type MembershipRow, membershipRows} from './user-segments.query.ts';
import {isMember, membershipsOf, writeMemberships} from './user-segments.ts';

/** What is to hold of one person and one segment. */
export interface MembershipCommand {
	readonly userPointId: number;
	readonly segmentId: string;
	/** False: they leave, if they are there. */
	readonly isMember: boolean;
	readonly expiresMs: number | undefined;
	/** JSON text, '' for none. */
	readonly dataBag: string;
}

export interface ManyMembershipsServices {
	readonly warehouse: Warehouse;
	readonly userPoints: {
		/** The ids under each user point, itself among them. */
		idsUnderAll(userPointIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>;
	};
}

/** People asked about at once. */
const PEOPLE = 1_000;

/** As `enterSegment` and `leaveSegment`, for many at once: of several commands for one membership the last holds. */
export async function applyMemberships(
	{warehouse, userPoints}: ManyMembershipsServices,
	datamart: Datamart,
	commands: readonly MembershipCommand[],
	nowMs: number = Date.now(),
): Promise<void> {
	const last = new Map(commands.map(each => [`${each.userPointId}|${each.segmentId}`, each]));
	const people = [...new Set(commands.map(({userPointId}) => userPointId))];
	const under = await userPoints.idsUnderAll(people);
	const formerOf = new Map<string, MembershipRow[]>();
	for (let from = 0; from < people.length; from += PEOPLE) {
		const some = people.slice(from, from + PEOPLE);
		const ownerOf = new Map(some.flatMap(id => (under.get(id) ?? [id]).map(each => [each, id] as const)));
		const userPointIds = [...ownerOf.keys()];
		const {rows} = await warehouse.read(membershipRows, {datamartId: datamart.id, userPointIds});
		for (const row of rows) {
			const key = `${ownerOf.get(row.userPointId)}|${row.segmentId}`;
			if (!last.has(key)) continue;
			const rowsOfKey = formerOf.get(key);
			if (rowsOfKey) rowsOfKey.push(row);
			else formerOf.set(key, [row]);
		}
	}
	const written = [...last].flatMap(([key, command]) => rowsOf(command, formerOf.get(key) ?? [], nowMs));
	if (written.length > 0) await writeMemberships(warehouse, datamart, written);
}

/** What stands under a merged user point would go on counting: it is written over. */
function rowsOf(
	command: MembershipCommand,
	former: readonly MembershipRow[],
	nowMs: number,
): MembershipRow[] {
	const {userPointId, segmentId, dataBag, expiresMs} = command;
	const ended = (row: MembershipRow) => ({...row, modifiedMs: nowMs, expiresMs: 0, dataBag: ''});
	const present = former.filter(row => isMember(row, nowMs));
	if (!command.isMember) return present.map(ended);
	const current = membershipsOf(former).find(each => isMember(each, nowMs));
	const others = present.filter(row => row.userPointId !== userPointId);
	const createdMs = current?.createdMs ?? nowMs;
	return [...others.map(ended), {userPointId, segmentId, dataBag, expiresMs, createdMs, modifiedMs: nowMs}];
}
