-- Which user point is in which segment, and until when: the SEGMENT_ID filter asks for members of now.
-- A membership without an end carries the largest UInt64; leaving is a row with expires_ms 0. The last row written wins.
CREATE TABLE IF NOT EXISTS user_segments_v1 (
    datamart_id UInt32,
    segment_id String,
    user_point_id UInt64,
    expires_ms UInt64
)
ENGINE = ReplacingMergeTree
ORDER BY (datamart_id, segment_id, user_point_id)
SETTINGS non_replicated_deduplication_window = 1000
