-- Rows that are older than three years (1,100 days) when they are received go to partitions by year, YYYY00, all others
-- by month as before: a batch whose times are spread over decades would make a part for each month (docs/adr/0018).
-- Parts are left out by their least and greatest position, whatever their partition is called.
-- only while: SELECT count() AS wanted FROM system.tables WHERE database = currentDatabase() AND name = 'fact_rows_v1' AND partition_key NOT LIKE '%received_ms%'
DROP TABLE IF EXISTS fact_rows_by_year SYNC
;
CREATE TABLE fact_rows_by_year AS fact_rows_v1
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
INSERT INTO fact_rows_by_year SELECT * FROM fact_rows_v1 SETTINGS max_partitions_per_insert_block = 0
;
EXCHANGE TABLES fact_rows_v1 AND fact_rows_by_year
