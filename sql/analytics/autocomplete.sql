-- autocomplete.values: which values of a dimension occur in whole local days, counted by facts, from the table of values.
-- Slots: value = the listed one as `d1`; days = the days asked for, cut into spans; condition on `value`; the rest is the answer.
WITH matching AS (
    SELECT /*{value}*/ AS d1, facts
    FROM dimension_values_v1
    WHERE datamart_id = {datamart_id:UInt32}
      AND dimension = {dimension:String}
      AND (/*{days}*/)
      AND (/*{condition}*/)
)
SELECT
    [/*{text}*/] AS dimensions,
    [toFloat64(0)] AS metrics
FROM matching
WHERE /*{is_set}*/
/*{tail}*/
LIMIT {max_results:UInt32} OFFSET {first_result:UInt32}
-- Below a million values one table of sums is put together faster than many small ones.
SETTINGS group_by_two_level_threshold = 1000000, group_by_two_level_threshold_bytes = 0
