/** Name of the table that lies on each shard; the plain name is the Distributed table over all of them. */
export const LOCAL = '_local';

const PERSON = 'user_point_id';

/**
 * What decides the shard of a row. One person's facts, activities and segments lie together; the rows that belong to
 * nobody are spread by activity, and an activity's rows stay together either way.
 */
export const SHARDED_BY: Readonly<Record<string, string>> = {
	fact_rows_v1: `intHash64(if(${PERSON} = 0, arrival, ${PERSON}))`,
	activities_v1: `intHash64(if(${PERSON} = 0, arrival, ${PERSON}))`,
	user_segments_v1: `intHash64(${PERSON})`,
	segment_memberships_v1: `intHash64(${PERSON})`,
	usage_facts_v1: 'intHash64(position)',
	activity_traces_v1: 'intHash64(arrival)',
	dimension_values_v1: 'cityHash64(datamart_id, dimension, value)',
	final_values_v1: 'cityHash64(value)',
};

/** Small tables that every server has whole: questions look into them where the facts lie. */
export const EVERYWHERE: ReadonlySet<string> = new Set([
	'schema_migrations',
	'user_point_merges_v1',
	'user_point_merge_history_v1',
]);

/** Tables that are there only while a migration runs: replicated like the one whose place they take, read by nobody. */
export const PASSING: ReadonlySet<string> = new Set(['fact_rows_by_year', 'activities_by_year']);

/** Every sharded table's plain name in a text, as its name on the shard. */
export function onShard(text: string): string {
	return text.replace(/\b\w+\b/g, name => (Object.hasOwn(SHARDED_BY, name) ? name + LOCAL : name));
}

/** Dictionaries, each by the table it reads: every server has both whole. */
export const DICTIONARIES: Readonly<Record<string, string>> = {
	merged_people: 'user_point_merges_v1',
	user_point_merges: 'user_point_merges_v1',
};

/** All that read the same table as this one: where its rows changed, each has to be loaded again. */
export function readingTheSame(dictionary: string): string[] {
	return Object.keys(DICTIONARIES).filter(each => DICTIONARIES[each] === DICTIONARIES[dictionary]);
}

const TABLES = [...Object.keys(SHARDED_BY).flatMap(name => [name, name + LOCAL]), ...EVERYWHERE, ...PASSING];
const TABLE = new RegExp(`(?<![\\w./'"\`])(${[...TABLES, ...Object.keys(DICTIONARIES)].join('|')})\\b`, 'g');
const LOOKED_UP = new RegExp(`\\b(dict\\w+\\()'(${Object.keys(DICTIONARIES).join('|')})'`, 'g');

/** The text with the database before every table and dictionary of ours: another server starts in a database of its own. */
export function qualified(text: string, database: string): string {
	const before = /\W/.test(database) ? `\`${database}\`` : database;
	return text.replace(TABLE, `${before}.$1`).replace(LOOKED_UP, `$1'${database}.$2'`);
}
