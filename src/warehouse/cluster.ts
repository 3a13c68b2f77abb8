import {type Cluster, clusterStatements} from './cluster-ddl.ts';
import {LOCAL, onShard, qualified} from './cluster-tables.ts';
import type {Shards, Warehouse, WarehouseQuery} from './warehouse.ts';

/** Settings of every statement on a cluster, beside the pinned ones. */
export const CLUSTER_SETTINGS: Readonly<Record<string, string>> = {
	// An INSERT answers when every shard has its rows: before that the journal lets go of nothing.
	distributed_foreground_insert: '1',
	// Shards split an INSERT ... SELECT otherwise, and leave rows where their key does not belong.
	parallel_distributed_insert_select: '0',
	// A table inside IN or JOIN is read whole, from all shards, and sent along: what is inside may lie elsewhere.
	distributed_product_mode: 'global',
	// The first replica that lives is written to and read from: what was acknowledged is seen.
	load_balancing: 'in_order',
	prefer_localhost_replica: '0',
	// An answer without a shard's rows is none.
	skip_unavailable_shards: '0',
	// A replica that is away does what it missed when it comes back.
	distributed_ddl_output_mode: 'throw_only_active',
};

/** Where an answer decides whether rows are written again, no replica may be behind. */
const DECIDES: Readonly<Record<string, RegExp>> = {
	'drain.positionsOfBatch': /\bFROM (\w+)/,
	'drain.partsOfBatch': /\bFROM (\w+)/,
};

/**
 * One warehouse out of many servers: statements without a result are carried out by all of them, and questions and rows
 * go to Distributed tables of the names that a single server has.
 */
export function clustered(one: Warehouse, cluster: Cluster): Warehouse {
	return {
		...one,
		async read(query, input, options) {
			const table = DECIDES[query.name]?.exec(query.build(input).text)?.[1];
			if (table && onShard(table) === table + LOCAL) {
				await one.command(`SYSTEM SYNC REPLICA ON CLUSTER \`${cluster.name}\` ${table}${LOCAL}`);
			}
			return one.read(onCluster(query, cluster), input, options);
		},
		async command(sql, params, options) {
			for (const statement of clusterStatements(sql, cluster)) await one.command(statement, params, options);
		},
	};
}

/** Over a view each shard carries out the whole statement, and what it answers is all that it sends. */
export function shardsOf({name}: Cluster): Shards {
	return {here: onShard, each: statement => `cluster('${name}', view(${statement}))`};
}

function onCluster<Input, Row>(
	query: WarehouseQuery<Input, Row>,
	cluster: Cluster,
): WarehouseQuery<Input, Row> {
	return {
		...query,
		build(input) {
			const {text, params} = query.onShards?.(input, shardsOf(cluster)) ?? query.build(input);
			return {text: qualified(text, cluster.database), params};
		},
	};
}
