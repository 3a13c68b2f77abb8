-- resource-usage, cut days: the same as resource-usage.sql over ranges that begin or end within a day.
-- Whole days are asked of the projection that lies with the facts (docs/adr/0020), what is cut off of the facts.
-- Slots: days, instants = the ranges; the others as in resource-usage.sql.
WITH
    per_day AS (
        SELECT
            /*{dimensions}*/
            /*{sums}*/
        FROM usage_facts_v1
        WHERE organisation_id IN {organisations:Array(UInt32)} AND (/*{days}*/) AND (/*{condition}*/)
        /*{grouped}*/
    ),
    per_fact AS (
        SELECT
            /*{dimensions}*/
            /*{sums}*/
        FROM usage_facts_v1
        WHERE organisation_id IN {organisations:Array(UInt32)} AND (/*{instants}*/) AND (/*{condition}*/)
        /*{grouped}*/
    )
SELECT
    [/*{values}*/] AS dimensions,
    [/*{metrics}*/] AS metrics
FROM (SELECT * FROM per_day UNION ALL SELECT * FROM per_fact)
WHERE /*{listed}*/
/*{tail}*/
LIMIT {max_results:UInt32} OFFSET {first_result:UInt32}
