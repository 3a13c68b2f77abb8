-- Which user point a merged one counts under: facts are immutable, a merge is one row here (semantics.md, User points).
-- Paths are compressed by the writer, so one look-up always ends at the survivor.
CREATE TABLE IF NOT EXISTS user_point_merges_v1 (
    user_point_id UInt64,
    into_user_point_id UInt64,
    merge_sequence UInt64
)
ENGINE = ReplacingMergeTree(merge_sequence)
ORDER BY user_point_id
;
-- Held in memory; reloaded by the drain before the facts of a merging batch are written.
CREATE DICTIONARY IF NOT EXISTS user_point_merges (
    user_point_id UInt64,
    into_user_point_id UInt64
)
PRIMARY KEY user_point_id
SOURCE(CLICKHOUSE(/*{dictionary_source}*/ QUERY 'SELECT user_point_id, argMax(into_user_point_id, merge_sequence) AS into_user_point_id FROM user_point_merges_v1 GROUP BY user_point_id'))
LIFETIME(0)
LAYOUT(HASHED_ARRAY())
