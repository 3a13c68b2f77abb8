import type {Bindings} from './fragment.ts';
import {mergesJoined, type QueryScope} from './plan.ts';

/** Which facts are looked at: what stands behind FROM, and behind WHERE. */
export interface Scan {
	readonly facts: string;
	readonly kept: string;
}

const TABLE = 'fact_rows_v1';

/**
 * The facts of a datamart and period that have a user point, read once. In stretches each thread meets user points of
 * its own, so that the engine has little to put together at the end (docs/adr/0042); whoever has rows in two of them,
 * merged since, is put together there all the same.
 */
export function scanOf(scope: QueryScope, bindings: Bindings): Scan {
	const counted = countedAsOf(scope, bindings);
	const joined = mergesJoined(scope, bindings);
	const kept = (userPoints: string) =>
		[
			'datamart_id = {datamart_id:UInt32}',
			userPoints,
			'position >= {from_position:UInt64}',
			'position < {until_position:UInt64}',
			...(counted === undefined ? [] : [counted]),
		].join(' AND ');
	if (!scope.stretches) return {facts: `${TABLE}${joined}`, kept: kept('user_point_id > 0')};

	const {borders, threads} = scope.stretches;
	const firsts = borders.map(border => bindings.bind('UInt64', border));
	const stretches = [undefined, ...firsts].map((first, index) => {
		const from = first === undefined ? 'user_point_id > 0' : `user_point_id >= ${first}`;
		const until = index < firsts.length ? ` AND user_point_id < ${firsts[index]}` : '';
		return `SELECT * FROM ${TABLE} WHERE ${kept(from + until)} SETTINGS max_threads = ${threads}`;
	});
	const facts = `(\n            ${stretches.join('\n            UNION ALL\n            ')}\n        ) AS ${TABLE}`;
	return {facts: `${facts}${joined}`, kept: 'true'};
}

/** Which facts count as of a moment; undefined where all do. */
function countedAsOf({asOf}: Pick<QueryScope, 'asOf'>, bindings: Bindings): string | undefined {
	if (!asOf) return undefined;
	if (asOf.batches.length === 0) return 'false';
	const instances = bindings.bind(
		'Array(UInt16)',
		asOf.batches.map(([instance]) => instance),
	);
	const batches = bindings.bind(
		'Array(UInt64)',
		asOf.batches.map(([, batchId]) => batchId),
	);
	return `batch_id <= transform(instance, ${instances}, ${batches}, toUInt64(0))`;
}
