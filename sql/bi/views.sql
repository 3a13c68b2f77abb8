-- Views over one datamart for BI tools, in a database of their own (docs/operations.md, "BI tools").
-- Slots: database = theirs; tables = the service's own; datamart = the id; definer = with whose rights they read, '' for
-- an engine without users. Nothing of another datamart is behind them, whatever a reader adds to the statement.
CREATE DATABASE IF NOT EXISTS /*{database}*/
;
-- One row per event, or one for an activity without events; people as they are known now, money and units as decimals.
CREATE OR REPLACE VIEW /*{database}*/.events /*{definer}*/ AS
SELECT
    if(user_point_id = 0, NULL, dictGetOrDefault('/*{tables}*/.user_point_merges', 'into_user_point_id', user_point_id, user_point_id)) AS person,
    fromUnixTimestamp64Milli(toInt64(bitShiftRight(position, 22)), 'UTC') AS happened_at,
    fromUnixTimestamp64Milli(toInt64(received_ms), 'UTC') AS received_at,
    concat(toString(instance), '-', toString(arrival)) AS activity,
    event_index,
    type AS activity_type, session_status, event_type, channel_id,
    origin_source, origin_channel, origin_campaign_id, origin_sub_campaign_id, origin_creative_id, campaign_id, goal_id,
    device_form_factor, device_os_family, device_browser_family, device_brand, device_model, device_carrier,
    CAST(has_conversion, 'String') = '1' AS has_conversion, CAST(has_clicked, 'String') = '1' AS has_clicked, CAST(has_bounced, 'String') = '1' AS has_bounced,
    brand, category1, category2, category3, category4, product_id,
    if(session_duration < 0, NULL, session_duration) AS session_seconds,
    toDecimal128(money, 4) / 10000 AS amount,
    toDecimal128(units, 4) / 10000 AS units
FROM /*{tables}*/.fact_rows_v1
WHERE datamart_id = /*{datamart}*/
;
-- Who is in which segment now.
CREATE OR REPLACE VIEW /*{database}*/.segment_members /*{definer}*/ AS
SELECT DISTINCT
    segment_id,
    dictGetOrDefault('/*{tables}*/.user_point_merges', 'into_user_point_id', user_point_id, user_point_id) AS person
FROM /*{tables}*/.user_segments_v1 FINAL
WHERE datamart_id = /*{datamart}*/ AND expires_ms > toUnixTimestamp64Milli(now64(3))
