-- People into whom others were merged: their rows may lie on several shards of a cluster, which is what funnels there ask
-- (sql/analytics/funnel-on-shards.sql, docs/adr/0039). A single server never asks, and so never loads it.
CREATE DICTIONARY IF NOT EXISTS merged_people (
    user_point_id UInt64,
    merges UInt64
)
PRIMARY KEY user_point_id
SOURCE(CLICKHOUSE(/*{dictionary_source}*/ QUERY 'SELECT into_user_point_id AS user_point_id, count() AS merges FROM user_point_merges_v1 GROUP BY user_point_id'))
LIFETIME(0)
LAYOUT(HASHED_ARRAY())
