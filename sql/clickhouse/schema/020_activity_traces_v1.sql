-- One row per activity that has been through its analyzers: what each of them did, for those who look into a chain
-- (docs/adr/0023). It tells places of an activity and no values. Kept three days; reading leaves older rows out at once.
CREATE TABLE IF NOT EXISTS activity_traces_v1 (
    datamart_id UInt32,
    traced_ms UInt64 CODEC(Delta(8), ZSTD(1)),
    instance UInt16,
    arrival UInt64 CODEC(Delta(8), ZSTD(1)),
    channel_id UInt64 CODEC(ZSTD(1)),
    received_ms UInt64 CODEC(Delta(8), ZSTD(1)),
    started_ms UInt64 CODEC(Delta(8), ZSTD(1)),
    outcome LowCardinality(String),
    analyzer_ids Array(UInt64) CODEC(ZSTD(1)),
    error_ids Array(String) CODEC(ZSTD(1)),
    -- Keyed hashes, in hexadecimal, of what makes the activity the same one when it comes again.
    keys Array(String) CODEC(ZSTD(1)),
    -- JSON: see Step in src/ingestion/activity-chain/analyse.ts.
    steps String CODEC(ZSTD(3))
)
ENGINE = MergeTree
PARTITION BY toDate(fromUnixTimestamp64Milli(toInt64(traced_ms), 'UTC'))
ORDER BY (datamart_id, traced_ms)
TTL toDateTime(intDiv(traced_ms, 1000)) + INTERVAL 3 DAY DELETE
SETTINGS ttl_only_drop_parts = 1, merge_with_ttl_timeout = 3600
