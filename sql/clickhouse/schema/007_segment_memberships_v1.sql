-- Memberships with all that is known of them, in the order they are read: by user point. What the SEGMENT_ID filter
-- needs is fed to user_segments_v1 by the same insert. expires_ms as there: 0 has left, the largest UInt64 has no end.
-- The last row written wins, here and there.
CREATE TABLE IF NOT EXISTS segment_memberships_v1 (
    datamart_id UInt32,
    user_point_id UInt64,
    segment_id String,
    created_ms UInt64,
    modified_ms UInt64,
    expires_ms UInt64,
    -- JSON text, '' for none.
    data_bag String CODEC(ZSTD(3))
)
ENGINE = ReplacingMergeTree
ORDER BY (datamart_id, user_point_id, segment_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
;
CREATE MATERIALIZED VIEW IF NOT EXISTS segment_memberships_to_user_segments_mv_v1 TO user_segments_v1 AS
SELECT datamart_id, segment_id, user_point_id, expires_ms
FROM segment_memberships_v1
