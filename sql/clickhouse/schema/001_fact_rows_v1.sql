-- One row per event of an activity, or one for an activity without events (semantics.md, Timeline).
-- Ordered so that a funnel's GROUP BY user point reads in order; '' and [] mean "no value".
-- Money and units are integers of 1/10,000, so that sums reconcile in any order.
CREATE TABLE IF NOT EXISTS fact_rows_v1 (
    datamart_id UInt32,
    -- The user point at write time; later merges are resolved through user_point_merges. 0: none.
    user_point_id UInt64,
    -- 42 bits of ms, 22 bits of tie-break: the total order of a timeline in one integer.
    position UInt64 CODEC(Delta(8), ZSTD(1)),
    -- Who accepted the activity and as which (row counter of its first row): the same on all its rows.
    instance UInt16,
    arrival UInt64 CODEC(Delta(8), ZSTD(1)),
    received_ms UInt64 CODEC(Delta(8), ZSTD(1)),
    event_index UInt16,
    -- First arrival of the batch that wrote the row.
    batch_id UInt64 CODEC(ZSTD(1)),
    type LowCardinality(String),
    session_status LowCardinality(String),
    event_type LowCardinality(String),
    channel_id LowCardinality(String),
    origin_source LowCardinality(String),
    origin_channel LowCardinality(String),
    origin_campaign_id LowCardinality(String),
    origin_sub_campaign_id LowCardinality(String),
    origin_creative_id LowCardinality(String),
    campaign_id LowCardinality(String),
    goal_id LowCardinality(String),
    device_form_factor LowCardinality(String),
    device_os_family LowCardinality(String),
    device_browser_family LowCardinality(String),
    device_brand LowCardinality(String),
    device_model LowCardinality(String),
    device_carrier LowCardinality(String),
    has_conversion LowCardinality(String),
    has_clicked LowCardinality(String),
    has_bounced LowCardinality(String),
    brand Array(LowCardinality(String)),
    category1 Array(LowCardinality(String)),
    category2 Array(LowCardinality(String)),
    category3 Array(LowCardinality(String)),
    category4 Array(LowCardinality(String)),
    product_id Array(String),
    -- $session_duration in seconds, -1 where the activity carries none; on the first row of the activity only.
    session_duration Int64 CODEC(ZSTD(1)),
    money Int64 CODEC(ZSTD(1)),
    units Int64 CODEC(ZSTD(1)),
    ts DateTime64(3, 'UTC') ALIAS fromUnixTimestamp64Milli(toInt64(bitShiftRight(position, 22)), 'UTC'),
    INDEX batch_id_minmax batch_id TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(fromUnixTimestamp64Milli(toInt64(bitShiftRight(position, 22)), 'UTC'))
ORDER BY (datamart_id, user_point_id, position)
SETTINGS non_replicated_deduplication_window = 1000
