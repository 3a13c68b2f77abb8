-- Every row of an activity tells how long its session took, not the first one alone: a report that meets any of its rows
-- counts it once for the activity.
ALTER TABLE fact_rows_v1 COMMENT COLUMN session_duration '$session_duration in seconds, on every row of the activity; -1 where it carries none'
