-- resource-usage: what queries cost and what was brought, per value of some dimensions; or which values occur.
-- Whole days are asked of the projection that lies with the facts (docs/adr/0020), the rest of a range of the facts.
-- Slots: days, instants = the ranges; condition = the filters, on one row; dimensions = `d1`, `d2` ...; grouped = by them;
-- source = which of the two is read, or both; listed = which values a list of values holds; the rest is the answer.
WITH
    per_day AS (
        SELECT
            /*{dimensions}*/
            sum(scan_cost) AS scan_cost_sum,
            sum(read_cost) AS read_cost_sum,
            sum(write_cost) AS write_cost_sum,
            sum(count) AS count_sum,
            count() AS facts
        FROM usage_facts_v1
        WHERE organisation_id IN {organisations:Array(UInt32)} AND (/*{days}*/) AND (/*{condition}*/)
        /*{grouped}*/
    ),
    per_fact AS (
        SELECT
            /*{dimensions}*/
            sum(scan_cost) AS scan_cost_sum,
            sum(read_cost) AS read_cost_sum,
            sum(write_cost) AS write_cost_sum,
            sum(count) AS count_sum,
            count() AS facts
        FROM usage_facts_v1
        WHERE organisation_id IN {organisations:Array(UInt32)} AND (/*{instants}*/) AND (/*{condition}*/)
        /*{grouped}*/
    )
SELECT
    [/*{values}*/] AS dimensions,
    [/*{metrics}*/] AS metrics
FROM (/*{source}*/)
WHERE /*{listed}*/
/*{tail}*/
LIMIT {max_results:UInt32} OFFSET {first_result:UInt32}
