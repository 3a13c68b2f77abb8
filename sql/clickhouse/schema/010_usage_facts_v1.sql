-- One row per thing that consumed or brought data: a query run for a caller, or what a batch brought to a datamart in
-- one second (semantics.md, Resource usage; docs/adr/0020). Written by the drain, once, like the facts themselves.
-- The projection lies in the same parts as the rows it sums, so that a day's sum is that of its facts, whatever happens;
-- nothing is ever deleted here but whole parts, two years old.
CREATE TABLE IF NOT EXISTS usage_facts_v1 (
    community_id UInt32,
    organisation_id UInt32,
    -- 0: a question over no datamart in particular.
    datamart_id UInt32,
    -- Who asked; 0: nobody, or a plugin worker.
    user_id UInt32,
    -- When the query ended, or when the first of these activities was received.
    at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
    day Date MATERIALIZED toDate(at),
    source LowCardinality(String),
    sub_source LowCardinality(String),
    collection LowCardinality(String),
    -- The query's name.
    resource_id LowCardinality(String),
    -- The query's id, or instance and first arrival of the batch.
    execution_id String CODEC(ZSTD(1)),
    -- Rows and bytes the engine read; bytes and records that were brought.
    scan_cost UInt64 CODEC(ZSTD(1)),
    read_cost UInt64 CODEC(ZSTD(1)),
    write_cost UInt64 CODEC(ZSTD(1)),
    count UInt64 CODEC(ZSTD(1)),
    -- Which instance's batch wrote the row, and its place there: the first arrival it tells of.
    instance UInt16,
    batch_id UInt64 CODEC(Delta(8), ZSTD(1)),
    position UInt64 CODEC(Delta(8), ZSTD(1)),
    INDEX batch_id_minmax batch_id TYPE minmax GRANULARITY 1,
    PROJECTION usage_per_day (
        SELECT
            day, community_id, organisation_id, datamart_id, source, sub_source, collection,
            sum(scan_cost), sum(read_cost), sum(write_cost), sum(count), count()
        GROUP BY day, community_id, organisation_id, datamart_id, source, sub_source, collection
    )
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (organisation_id, datamart_id, at)
TTL toDateTime(at) + INTERVAL 2 YEAR
SETTINGS
    ttl_only_drop_parts = 1,
    non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1
