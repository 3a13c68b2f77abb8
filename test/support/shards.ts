import {LOCAL, readingTheSame, SHARDED_BY} from '../../src/warehouse/cluster-tables.ts';
import type {Shards, Warehouse} from '../../src/warehouse/warehouse.ts';
import {askedOtherwise} from './asked-otherwise.ts';

/** Two shards in one engine: each sees, of a table, the rows that belong on it and no other. */
const TWICE = '127.0.0.1,127.0.0.1';

/** The part of a table that a shard has, out of another that has all rows. */
export async function cutInTwo(warehouse: Warehouse, table: string, all = table): Promise<void> {
	await warehouse.command(
		`CREATE VIEW ${table}_shard AS SELECT * FROM ${all} WHERE ${SHARDED_BY[table]} % 2 = shardNum() - 1`,
	);
}

/** The plain name becomes a Distributed table over both shards. */
export async function distributed(warehouse: Warehouse, table: string): Promise<void> {
	await warehouse.command(`RENAME TABLE ${table} TO ${table}${LOCAL}`);
	await cutInTwo(warehouse, table, table + LOCAL);
	await warehouse.command(`CREATE TABLE ${table} AS remote('${TWICE}', currentDatabase(), ${table}_shard)`);
}

const RELOAD = 'SYSTEM RELOAD DICTIONARY ';

/**
 * Questions put as to a cluster: each shard answers for itself, over a view. `told` gathers what was asked so. A
 * dictionary is loaded again with all that read its table, as on a cluster.
 */
export function followedOnShards(warehouse: Warehouse, told: string[] = []): Warehouse {
	const shards: Shards = {
		here: table => `${table}_shard`,
		each: statement => `remote('${TWICE}', view(${statement}))`,
	};
	const reloading: Warehouse = {
		...warehouse,
		async command(sql, ...how) {
			const all = sql.startsWith(RELOAD) ? readingTheSame(sql.slice(RELOAD.length)) : [];
			if (all.length === 0) return warehouse.command(sql, ...how);
			for (const each of all) await warehouse.command(RELOAD + each);
		},
	};
	return askedOtherwise(reloading, (query, input) => {
		const statement = query.onShards?.(input, shards);
		if (statement) told.push(statement.text);
		return statement ?? query.build(input);
	});
}
