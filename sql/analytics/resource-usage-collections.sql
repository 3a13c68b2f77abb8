-- resource-usage, collections: how much there is of what, by when it came. Activities and events are counted where they
-- are stored; people and their identifiers are counted in PostgreSQL, where they live, and handed in as `kept`.
-- Slots: instants = the ranges; condition = the filters; dimensions, listed and the rest as in resource-usage.sql.
WITH
    elements AS (
        SELECT datamart_id, 'UserActivity' AS collection, received_ms, toUInt64(1) AS elements
        FROM activities_v1
        WHERE datamart_id IN {datamarts:Array(UInt32)} AND (/*{instants}*/)
        UNION ALL
        SELECT datamart_id, 'UserEvent' AS collection, received_ms, toUInt64(1) AS elements
        FROM fact_rows_v1
        WHERE datamart_id IN {datamarts:Array(UInt32)} AND (/*{instants}*/) AND event_type != ''
        UNION ALL
        SELECT kept.1 AS datamart_id, kept.2 AS collection, kept.3 AS received_ms, kept.4 AS elements
        FROM (SELECT arrayJoin(arrayZip(/*{kept}*/)) AS kept)
    ),
    told AS (
        SELECT
            transform(datamart_id, {owned:Array(UInt32)}, {communities:Array(UInt32)}, toUInt32(0)) AS community_id,
            transform(datamart_id, {owned:Array(UInt32)}, {owners:Array(UInt32)}, toUInt32(0)) AS organisation_id,
            datamart_id,
            collection,
            fromUnixTimestamp64Milli(toInt64(received_ms), 'UTC') AS at,
            toDate(at) AS day,
            elements AS count_sum,
            elements AS facts
        FROM elements
    )
SELECT
    [/*{values}*/] AS dimensions,
    [/*{metrics}*/] AS metrics
FROM (
    SELECT
        /*{dimensions}*/
        count_sum, facts
    FROM told
    WHERE /*{condition}*/
)
WHERE /*{listed}*/
/*{tail}*/
LIMIT {max_results:UInt32} OFFSET {first_result:UInt32}
