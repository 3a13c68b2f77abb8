-- resource-usage, data ingestion: how many events came how far, and how many activities came no further. Events are
-- counted where they are stored; dead letters are counted in PostgreSQL, where they live, and handed in as `kept`.
-- Slots: instants = the ranges; condition = the filters; dimensions, listed and the rest as in resource-usage.sql.
WITH
    steps AS (
        SELECT datamart_id, received_ms, event_type AS event_name, channel_id, '' AS error_type, toUInt64(1) AS events, toUInt64(0) AS errors
        FROM fact_rows_v1
        WHERE datamart_id IN {datamarts:Array(UInt32)} AND (/*{instants}*/) AND event_type != ''
        UNION ALL
        SELECT kept.1 AS datamart_id, kept.3 AS received_ms, '' AS event_name, '' AS channel_id, kept.2 AS error_type, toUInt64(0) AS events, kept.4 AS errors
        FROM (SELECT arrayJoin(arrayZip(/*{kept}*/)) AS kept)
    ),
    told AS (
        SELECT
            transform(datamart_id, {owned:Array(UInt32)}, {communities:Array(UInt32)}, toUInt32(0)) AS community_id,
            transform(datamart_id, {owned:Array(UInt32)}, {owners:Array(UInt32)}, toUInt32(0)) AS organisation_id,
            datamart_id,
            fromUnixTimestamp64Milli(toInt64(received_ms), 'UTC') AS at,
            toDate(at) AS day,
            event_name,
            channel_id,
            'DOCUMENT_STORE' AS pipeline_step,
            error_type,
            events AS event_count_sum,
            errors AS error_count_sum,
            events + errors AS facts
        FROM steps
    )
SELECT
    [/*{values}*/] AS dimensions,
    [/*{metrics}*/] AS metrics
FROM (
    SELECT
        /*{dimensions}*/
        event_count_sum, error_count_sum, facts
    FROM told
    WHERE /*{condition}*/
)
WHERE /*{listed}*/
/*{tail}*/
LIMIT {max_results:UInt32} OFFSET {first_result:UInt32}
