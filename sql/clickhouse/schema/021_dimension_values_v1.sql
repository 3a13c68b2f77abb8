-- How many fact rows have a value of a dimension, by local day of their datamart: what lists of values are answered from
-- (sql/analytics/autocomplete.sql, docs/adr/0035). Written behind the facts of each batch; told again, a batch is there once.
-- Days are summed up by 4 and by 16 as well (`span`), so that 45 days are some 8 rows of a value and not 45.
CREATE TABLE IF NOT EXISTS dimension_values_v1 (
    datamart_id UInt32,
    -- As in the catalogue, upper case. '' with datamart 0: not a value but the mark of a batch, see last_batch.
    dimension LowCardinality(String),
    span UInt16,
    -- The first of `span` days; 1 is the first of January 1970.
    local_day UInt16 CODEC(Delta(2), ZSTD(1)),
    value String CODEC(ZSTD(1)),
    -- The partition that the facts lie in: YYYYMM, or YYYY00 for late ones (011). Facts and their counts go together.
    part UInt32,
    facts SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    -- Of a mark, whose value is an instance: the last of its batches that has its counts in this partition.
    last_batch SimpleAggregateFunction(max, UInt64) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
PARTITION BY part
ORDER BY (datamart_id, dimension, span, local_day, value)
SETTINGS
    -- A list reads a few runs of neighbours: what it reads beside them are the ends of granules.
    index_granularity = 1024,
    non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1
