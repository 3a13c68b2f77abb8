-- The activities of 011's rows.
-- only while: SELECT count() AS wanted FROM system.tables WHERE database = currentDatabase() AND name = 'activities_v1' AND partition_key NOT LIKE '%received_ms%'
DROP TABLE IF EXISTS activities_by_year SYNC
;
CREATE TABLE activities_by_year AS activities_v1
ENGINE = MergeTree
PARTITION BY if(
    toInt64(received_ms) - toInt64(bitShiftRight(position, 22)) > 1100 * 86400000,
    toYear(fromUnixTimestamp64Milli(toInt64(bitShiftRight(position, 22)), 'UTC')) * 100,
    toYYYYMM(fromUnixTimestamp64Milli(toInt64(bitShiftRight(position, 22)), 'UTC'))
)
ORDER BY (datamart_id, user_point_id, position)
SETTINGS
    non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1
;
INSERT INTO activities_by_year SELECT * FROM activities_v1 SETTINGS max_partitions_per_insert_block = 0
;
EXCHANGE TABLES activities_v1 AND activities_by_year
