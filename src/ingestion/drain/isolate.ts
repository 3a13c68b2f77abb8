import {DomainError} from '../../errors.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import {sampleRows} from './batch.ts';
import {type BatchRows, type Members, TABLES} from './batch-rows.ts';
import type {WritableRows} from './once-writer.ts';

/** Whether the store understood and said no, as opposed to being away, out of time or out of memory. */
export function isRefusal(error: unknown): error is DomainError {
	return error instanceof DomainError && error.code === 'query_failed';
}

/**
 * Which of these records of a refused batch the store does not take, by halves, in a twin of the table: what is tried here is
 * seen by no report, needs no token, and leaves nothing behind whenever it ends. About 2 log2(n) writes an offender.
 *
 * A batch may be refused for reasons that no record is to blame for. A missing table has no twin; in a table whose
 * columns changed not even rows of our own making are taken; a table that is full or read-only has a twin that takes
 * everything. In the first two cases the refusal is thrown, in the last nobody is named: the batch has to wait.
 */
export async function refusedBy(
	warehouse: Warehouse,
	place: number,
	{tables}: BatchRows,
	members: Members,
	{instance, signal}: {readonly instance: number; readonly signal: AbortSignal},
): Promise<number[]> {
	const {table, columns} = TABLES[place]!;
	const twin = `${table}_twin_${instance}`;
	const takes = async ({count, format, encode}: WritableRows): Promise<boolean> => {
		// A service that stops does not wait for the end of a long search: the next start begins it again.
		signal.throwIfAborted();
		try {
			await warehouse.write({table: twin, columns, rows: count, format, payload: encode()});
			return true;
		} catch (error) {
			if (isRefusal(error)) return false;
			throw error;
		}
	};
	await warehouse.command(`DROP TABLE IF EXISTS ${twin} SYNC`);
	try {
		await warehouse.command(`CREATE TABLE ${twin} AS ${table}`);
		if (!(await takes(sampleRows(Date.now()).tables[place]!.rowsOf(undefined)))) {
			throw new DomainError('query_failed', `${table} refuses rows that are known to be good`);
		}
		return await refusedAmong(members, some => takes(tables[place]!.rowsOf(some)));
	} finally {
		await warehouse.command(`DROP TABLE IF EXISTS ${twin} SYNC`).catch(() => undefined);
	}
}

/** The members that `takes` does not take by themselves; sets are halved until they are taken or have one member. */
export async function refusedAmong<Item>(
	items: readonly Item[],
	takes: (items: readonly Item[]) => Promise<boolean>,
): Promise<Item[]> {
	if (items.length === 0 || (await takes(items))) return [];
	if (items.length === 1) return [...items];
	const middle = items.length >> 1;
	const before = await refusedAmong(items.slice(0, middle), takes);
	return [...before, ...(await refusedAmong(items.slice(middle), takes))];
}
