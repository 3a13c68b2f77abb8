-- The activity as it was sent, beside its facts; identifier texts are replaced by references (docs/adr/0006).
CREATE TABLE IF NOT EXISTS activities_v1 (
    datamart_id UInt32,
    user_point_id UInt64,
    position UInt64 CODEC(Delta(8), ZSTD(1)),
    instance UInt16,
    arrival UInt64 CODEC(Delta(8), ZSTD(1)),
    received_ms UInt64 CODEC(Delta(8), ZSTD(1)),
    batch_id UInt64 CODEC(ZSTD(1)),
    activity String CODEC(ZSTD(3)),
    INDEX batch_id_minmax batch_id TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(fromUnixTimestamp64Milli(toInt64(bitShiftRight(position, 22)), 'UTC'))
ORDER BY (datamart_id, user_point_id, position)
SETTINGS non_replicated_deduplication_window = 1000
