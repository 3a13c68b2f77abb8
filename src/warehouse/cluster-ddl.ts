import {
	DICTIONARIES,
	EVERYWHERE,
	LOCAL,
	onShard,
	PASSING,
	qualified,
	readingTheSame,
	SHARDED_BY,
} from './cluster-tables.ts';

/** Servers that belong together, as their configuration calls them, and the database on each of them. */
export interface Cluster {
	readonly name: string;
	readonly database: string;
}

const NAME = /^[A-Za-z_][\w-]*$/;
const WEEK_S = 7 * 86_400;

/**
 * A statement without a result, written for one server, as the statements that do the same on all servers of a cluster.
 * None where it moves rows from before there were clusters: a cluster begins empty.
 * @throws Error for a statement it has no rule for: a table nobody said how to shard must not be made.
 */
export function clusterStatements(sql: string, cluster: Cluster): string[] {
	for (const name of [cluster.name, cluster.database]) {
		if (!NAME.test(name))
			throw new Error(`${JSON.stringify(name)} is not a name for a cluster or its database`);
	}
	const text = sql.replace(/^\s*(--[^\n]*(\n|$)\s*)*/, '').trim();
	const rule = RULES.find(({begins}) => begins.test(text));
	if (!rule) throw new Error(`there is no rule for "${text.split(/\s+/, 5).join(' ')}" on a cluster`);
	return rule
		.write(text, cluster, rule.begins.exec(text)!)
		.map(statement => qualified(statement, cluster.database));
}

interface Rule {
	readonly begins: RegExp;
	write(text: string, cluster: Cluster, found: RegExpExecArray): string[];
}

const RULES: readonly Rule[] = [
	{begins: /^CREATE TABLE (IF NOT EXISTS )?(\w+) AS (\w+)$/, write: createTwin},
	{begins: /^CREATE TABLE (IF NOT EXISTS )?(\w+)\s+(AS|\()/, write: createTable},
	{
		begins: /^CREATE MATERIALIZED VIEW (IF NOT EXISTS )?(\w+) TO /,
		// Rows are passed on where they came in: source and target lie on the same shard.
		write: (text, {name}, [begin]) => [
			`${begin.slice(0, -' TO '.length)} ON CLUSTER ${quoted(name)} TO ${onShard(text.slice(begin.length))}`,
		],
	},
	{begins: /^CREATE DICTIONARY (IF NOT EXISTS )?(\w+)/, write: createDictionary},
	{begins: /^(DROP TABLE IF EXISTS )(\w+)( SYNC)$/, write: dropTable},
	{
		begins: /^EXCHANGE TABLES (\w+) AND (\w+)$/,
		write: (text, cluster) => [`${onShard(text)} ON CLUSTER ${quoted(cluster.name)}`],
	},
	{
		begins: /^ALTER TABLE (\w+) DELETE /,
		write: (text, cluster) => [`${altered(text, cluster)} SETTINGS mutations_sync = 1`],
	},
	{
		// Of columns their packing or comment alone: a new type would have to reach the way to all shards as well.
		begins: /^ALTER TABLE (\w+) (MODIFY SETTING|MODIFY COLUMN|COMMENT COLUMN) /,
		write: (text, cluster) => [altered(text, cluster)],
	},
	{
		// Each replica waits for its own: one that is away does not hold up the others.
		begins: /^DELETE FROM (\w+) /,
		write: (text, cluster, [begin, table]) => [
			`DELETE FROM ${onShard(table!)} ON CLUSTER ${quoted(cluster.name)} ${text.slice(begin.length)} SETTINGS lightweight_deletes_sync = 1`,
		],
	},
	{
		begins: /^TRUNCATE TABLE (\w+)$/,
		write: (_, cluster, [, table]) => [
			`TRUNCATE TABLE ${onShard(table!)} ON CLUSTER ${quoted(cluster.name)} SYNC`,
		],
	},
	{begins: /^SYSTEM RELOAD DICTIONARY (\w+)$/, write: reloadDictionary},
	{begins: /^INSERT INTO (\w+)\s/, write: insertSelect},
];

/** Of the rows of these, all were written before there were clusters. */
const MOVED_BEFORE: ReadonlySet<string> = new Set([...PASSING, 'user_point_merge_history_v1']);

function insertSelect(text: string, _: Cluster, [, table]: RegExpExecArray): string[] {
	return MOVED_BEFORE.has(table!) ? [] : [text];
}

function createTable(text: string, cluster: Cluster, [, , name]: RegExpExecArray): string[] {
	const sharding = SHARDED_BY[name!];
	if (sharding === undefined && !EVERYWHERE.has(name!) && !PASSING.has(name!)) {
		throw new Error(`${name} is in no list of src/warehouse/cluster-tables.ts: where would its rows lie?`);
	}
	const made = sharding === undefined ? name! : name! + LOCAL;
	const local = text
		.replace(/^(CREATE TABLE (?:IF NOT EXISTS )?)\w+/, `$1${made} ON CLUSTER ${quoted(cluster.name)}`)
		.replace(/ AS (\w+)\s+ENGINE/, (_, other: string) => ` AS ${onShard(other)}\nENGINE`)
		.replace(/^ENGINE = (\w*MergeTree)(?:\(([^)]*)\))?/m, (_, engine: string, more?: string) =>
			replicated(engine, more, name!, cluster),
		)
		.replace(
			/\bnon_replicated_deduplication_window = (\d+)/,
			`replicated_deduplication_window = $1,\n    replicated_deduplication_window_seconds = ${WEEK_S}`,
		);
	if (!/^ENGINE = Replicated/m.test(local)) throw new Error(`${name} has no engine that can be replicated`);
	if (sharding === undefined) return [local];
	return [
		local,
		`CREATE TABLE IF NOT EXISTS ${name} ON CLUSTER ${quoted(cluster.name)} AS ${made}
ENGINE = Distributed(${literal(cluster.name)}, ${literal(cluster.database)}, ${literal(made)}, ${sharding})`,
	];
}

/** The path names the table as it was made: `{shard}` and `{replica}` are macros of each server's own configuration. */
function replicated(engine: string, more: string | undefined, name: string, {database}: Cluster): string {
	const everywhere = EVERYWHERE.has(name);
	const path = `/clickhouse/tables/${database}/${everywhere ? 'everywhere' : '{shard}'}/${name}`;
	const replica = everywhere ? '{shard}-{replica}' : '{replica}';
	return `ENGINE = Replicated${engine}(${[literal(path), literal(replica), ...(more ? [more] : [])].join(', ')})`;
}

/** A table to try rows on, on this server alone: neither replicated nor, like the one it is named after, a way to all. */
function createTwin(_: string, __: Cluster, [, , twin, table]: RegExpExecArray): string[] {
	return [`CREATE TABLE ${twin} AS ${onShard(table!)} ENGINE = MergeTree ORDER BY tuple()`];
}

/** A server that was away while all others reloaded looks by itself whether anything is new. */
function createDictionary(text: string, {name}: Cluster, [begin]: RegExpExecArray): string[] {
	const [, source] = /FROM (\w+) GROUP BY/.exec(text) ?? [];
	if (!source || !EVERYWHERE.has(source)) throw new Error('a dictionary reads a table that every server has');
	const changed = `SELECT concat(toString(count()), '-', toString(max(merge_sequence))) FROM ${source}`;
	return [
		`${begin} ON CLUSTER ${quoted(name)}${text.slice(begin.length)}`
			.replace(/(QUERY '[^']*')/, `$1 INVALIDATE_QUERY ${literal(changed)}`)
			.replace('LIFETIME(0)', 'LIFETIME(MIN 5 MAX 10)'),
	];
}

/** Tables to try rows on are this server's own. */
function dropTable(_: string, {name}: Cluster, [, drop, table, sync]: RegExpExecArray): string[] {
	return PASSING.has(table!)
		? [`${drop}${table} ON CLUSTER ${quoted(name)}${sync}`]
		: [`${drop}${table}${sync}`];
}

/** What was just written has to be on a server before it reads its dictionaries again, and for who looks back in time. */
function reloadDictionary(_: string, {name}: Cluster, [, dictionary]: RegExpExecArray): string[] {
	const table = DICTIONARIES[dictionary!];
	if (!table)
		throw new Error(`which table ${dictionary} reads is in no list of src/warehouse/cluster-tables.ts`);
	return [
		`SYSTEM SYNC REPLICA ON CLUSTER ${quoted(name)} ${table}`,
		`SYSTEM SYNC REPLICA ON CLUSTER ${quoted(name)} user_point_merge_history_v1`,
		...readingTheSame(dictionary!).map(each => `SYSTEM RELOAD DICTIONARY ON CLUSTER ${quoted(name)} ${each}`),
	];
}

function altered(text: string, cluster: Cluster): string {
	return text.replace(
		/^ALTER TABLE (\w+)/,
		(_, table: string) => `ALTER TABLE ${onShard(table)} ON CLUSTER ${quoted(cluster.name)}`,
	);
}

function quoted(name: string): string {
	return `\`${name}\``;
}

function literal(text: string): string {
	return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
