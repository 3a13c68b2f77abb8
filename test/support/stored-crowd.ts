import {asOfText} from '../../src/analytics/funnel/as-of.schema.ts';
import type {Stored} from '../../src/analytics/funnel/moment.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import type {FactRow} from '../oracle/facts.ts';
import {chance} from '../oracle/random.ts';
import type {Merge} from '../oracle/user-points.ts';
import {insertFacts} from './facts.ts';
import {asFact, type Crowd} from './histories.ts';
import {tellWords} from './told-words.ts';

/** A crowd as the reference sees it, now or once it had accepted so many activities. */
export interface View {
	readonly rows: readonly FactRow[];
	segmentsOf(userPoint: number): readonly string[];
}

/** A crowd as the store has it: facts under the user points of their time, merges told beside them. */
export interface StoredCrowd {
	readonly stored: Stored;
	/** How much was accepted at the end of each batch but the last. */
	readonly borders: readonly number[];
	idOf(userPoint: number): number;
	viewOf(accepted?: number): View;
	/** That moment as clients carry it. */
	asOf(accepted: number): string;
}

const INSTANCE = 1;
const BATCHES = 5;
/** User points and merges of a crowd at most: both are numbered over all datamarts. */
const MOST = 2 ** 20;
const FOREVER = '18446744073709551615';

export async function storeCrowd(warehouse: Warehouse, crowd: Crowd): Promise<StoredCrowd> {
	const {datamartId, userPoints, nowMs} = crowd;
	const {atArrival} = userPoints;
	const idOf = (userPoint: number) => datamartId * MOST + userPoint;
	const merges = toldMerges(userPoints.merges).map((merge, nth) => ({
		...merge,
		// Every fourth number is that of a transaction that was given up.
		sequence: datamartId * MOST + nth + Math.floor(nth / 3),
	}));
	const batch = Math.ceil(atArrival.length / BATCHES);
	const facts = crowd.rows.map(row => {
		const userPoint = atArrival[row.arrival] ?? null;
		return asFact(row, Math.floor(row.arrival / batch) * batch, userPoint === null ? 0 : idOf(userPoint));
	});
	const created = [...new Set(atArrival.filter(userPoint => userPoint !== null))];
	const segmentOf = (userPoint: number) =>
		chance(idOf(userPoint)).pick([undefined, undefined, '1', '12', 'vip', 'gone']);
	const members = created.flatMap(userPoint => {
		const segment = segmentOf(userPoint);
		if (segment === undefined) return [];
		return [[datamartId, segment, idOf(userPoint), segment === 'gone' ? nowMs : FOREVER]];
	});

	await write(warehouse, 'user_segments_v1', {
		columns: ['datamart_id', 'segment_id', 'user_point_id', 'expires_ms'],
		rows: members,
	});
	await write(warehouse, 'user_point_merges_v1', {
		columns: ['user_point_id', 'into_user_point_id', 'merge_sequence'],
		rows: merges.map(({userPoint, into, sequence}) => [idOf(userPoint), idOf(into), sequence]),
	});
	await warehouse.command('SYSTEM RELOAD DICTIONARY user_point_merges');
	await insertFacts(warehouse, datamartId, facts);
	await tellWords(warehouse, datamartId);

	function viewOf(accepted?: number): View {
		const then = accepted === undefined ? merges : merges.filter(({arrival}) => arrival < accepted);
		const survivors = new Map(then.map(({userPoint, into}) => [userPoint, into]));
		const survivorOf = (userPoint: number) => survivors.get(userPoint) ?? userPoint;
		const segments = new Map<number, string[]>();
		for (const userPoint of created) {
			const segment = segmentOf(userPoint);
			if (segment === undefined || segment === 'gone') continue;
			const survivor = survivorOf(userPoint);
			segments.set(survivor, [...(segments.get(survivor) ?? []), segment]);
		}
		const rows = crowd.rows.flatMap(row => {
			if (accepted !== undefined && row.arrival >= accepted) return [];
			const userPoint = atArrival[row.arrival] ?? null;
			return [{...row, userPoint: userPoint === null ? null : survivorOf(userPoint)}];
		});
		return {
			rows: accepted === undefined ? crowd.rows : rows,
			segmentsOf: userPoint => segments.get(userPoint) ?? [],
		};
	}

	return {
		stored: {instance: INSTANCE, storedBefore: atArrival.length + 1, whenQueryable: async () => {}},
		borders: Array.from({length: BATCHES - 1}, (_, nth) => (nth + 1) * batch),
		idOf,
		viewOf,
		asOf(accepted) {
			const then = merges.filter(({arrival}) => arrival < accepted);
			return asOfText({
				nowMs,
				mergeSequence: then.at(-1)?.sequence ?? 0,
				mergesMissing: [],
				batches: [[INSTANCE, accepted - 1]],
			});
		},
	};
}

/** As they are told to the store: whoever was merged into the loser before moves on with it. */
function toldMerges(merges: readonly Merge[]): Merge[] {
	const mergedInto = new Map<number, number[]>();
	return merges.flatMap(({userPoint, into, arrival}) => {
		const moved = [...(mergedInto.get(userPoint) ?? []), userPoint];
		mergedInto.set(into, [...(mergedInto.get(into) ?? []), ...moved]);
		return moved.map(each => ({userPoint: each, into, arrival}));
	});
}

async function write(
	warehouse: Warehouse,
	table: string,
	{
		columns,
		rows,
	}: {readonly columns: readonly string[]; readonly rows: readonly (readonly (string | number)[])[]},
): Promise<void> {
	if (rows.length === 0) return;
	const payload = Buffer.from(rows.map(row => `${row.join('\t')}\n`).join(''));
	await warehouse.write({table, columns: [...columns], rows: rows.length, payload});
}
