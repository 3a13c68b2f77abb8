-- activity-report: how much of what happened, per value of some dimensions; or, without a metric, which values occur.
-- A row of several values of a dimension stands once for each of them. Sums are of integers: one division at the end.
-- Slots: user_point and condition as in a funnel; dimensions = `d1`, `d2` ...; joins = what rows are told beside their
-- columns; source = matching, or per_activity where a metric counts each activity once; the rest is the answer.
WITH
    matching AS (
        SELECT
            /*{dimensions}*/
            bitShiftLeft(toUInt64(instance), 48) + arrival AS activity,
            /*{user_point}*/ AS user_point,
            type IN ('SITE_VISIT', 'APP_VISIT') AS is_session,
            session_duration,
            1 AS facts,
            /*{is_transaction}*/ AS transactions,
            if(transactions, money, 0) AS revenue,
            /*{is_user_event}*/ AS user_events,
            /*{is_ad_view}*/ AS ad_views,
            /*{is_ad_click}*/ AS ad_clicks
        FROM fact_rows_v1
        /*{joins}*/
        WHERE datamart_id = {datamart_id:UInt32}
          AND position >= {from_position:UInt64} AND position < {until_position:UInt64}
          AND (/*{ranges}*/)
          AND /*{condition}*/
    ),
    per_activity AS (
        SELECT
            /*{keys}*/
            matching.activity AS activity,
            any(matching.user_point) AS user_point,
            any(matching.is_session) AS is_session,
            max(matching.session_duration) AS session_duration,
            sum(matching.facts) AS facts,
            sum(matching.transactions) AS transactions,
            sum(matching.revenue) AS revenue,
            sum(matching.user_events) AS user_events,
            sum(matching.ad_views) AS ad_views,
            sum(matching.ad_clicks) AS ad_clicks
        FROM matching
        GROUP BY /*{keys}*/ matching.activity
    )
SELECT
    [/*{values}*/] AS dimensions,
    [/*{metrics}*/] AS metrics
FROM /*{source}*/
/*{tail}*/
LIMIT {max_results:UInt32} OFFSET {first_result:UInt32}
