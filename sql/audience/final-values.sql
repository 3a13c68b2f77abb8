-- finalValues.search: the final values of a datamart, each once, that contain a text, ignoring case; of one field or of
-- all. The total tells whether there are more than were asked for.
SELECT value, count() OVER () AS total
FROM (
    SELECT value, any(folded) AS in_lower_case
    FROM final_values_v1
    WHERE datamart_id = {datamartId:UInt32}
      AND execution_id = {executionId:UInt64}
      AND ({path:String} = '' OR path = {path:String})
      AND position(folded, {keywords:String}) > 0
    GROUP BY value
)
ORDER BY in_lower_case, value
LIMIT {maxResults:UInt32} OFFSET {firstResult:UInt32}
