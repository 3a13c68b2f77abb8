-- resource-usage: what queries cost and what was brought, per value of some dimensions; or which values occur.
-- Whole days are answered out of the projection that lies with the facts (docs/adr/0020), anything else by the facts.
-- Slots: ranges; condition = the filters, on one row; dimensions = `d1`, `d2` ...; sums = the costs, of a row or, grouped
-- already, of many; listed = which values a list of values holds; settings; the rest is the answer.
SELECT
    [/*{values}*/] AS dimensions,
    [/*{metrics}*/] AS metrics
FROM (
    SELECT
        /*{dimensions}*/
        /*{sums}*/
    FROM usage_facts_v1
    WHERE organisation_id IN {organisations:Array(UInt32)} AND (/*{ranges}*/) AND (/*{condition}*/)
    /*{grouped}*/
)
WHERE /*{listed}*/
/*{tail}*/
LIMIT {max_results:UInt32} OFFSET {first_result:UInt32}
/*{settings}*/
