-- Every merge that was ever told, by user point: what a user point counted under as of an earlier moment, for lists that
-- are read page by page. user_point_merges_v1 keeps the last one alone. A merge told twice is one row in the end.
CREATE TABLE IF NOT EXISTS user_point_merge_history_v1 (
    user_point_id UInt64,
    merge_sequence UInt64,
    into_user_point_id UInt64
)
ENGINE = ReplacingMergeTree
ORDER BY (user_point_id, merge_sequence)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
;
CREATE MATERIALIZED VIEW IF NOT EXISTS user_point_merges_to_history_mv_v1 TO user_point_merge_history_v1 AS
SELECT user_point_id, merge_sequence, into_user_point_id
FROM user_point_merges_v1
;
-- What was told before this table was there.
INSERT INTO user_point_merge_history_v1 (user_point_id, merge_sequence, into_user_point_id)
SELECT user_point_id, merge_sequence, into_user_point_id
FROM user_point_merges_v1
