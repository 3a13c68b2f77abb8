-- Final values as a file brought them: the value, and the field of the datamart's schema it is a value of. Each execution
-- has its own; PostgreSQL says which one holds, and what others left is deleted.
CREATE TABLE IF NOT EXISTS final_values_v1 (
    datamart_id UInt32,
    execution_id UInt64,
    -- Levels joined by dots, e.g. profiles.country.
    path LowCardinality(String),
    value String,
    -- In lower case, as it is searched by.
    folded String
)
ENGINE = MergeTree
ORDER BY (datamart_id, execution_id, path, value)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
