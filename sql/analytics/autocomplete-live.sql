-- autocomplete.live: all values of a dimension in whole local days with their facts, and the last batch that an instance has
-- counted in each partition: of one scan, and so of one state of the table. None where they are too many, or too long.
-- Slots: days = the days asked for, cut into spans; order of the values.
WITH
    counted AS (
        SELECT
            datamart_id = 0 AS is_mark,
            if(is_mark, toString(part), value) AS key,
            toFloat64(sum(facts)) AS sum_of_facts,
            toFloat64(max(last_batch)) AS batch
        FROM dimension_values_v1
        WHERE (datamart_id = {datamart_id:UInt32} AND dimension = {dimension:String} AND (/*{days}*/))
           OR (datamart_id = 0 AND dimension = '' AND value = {instance:String})
        GROUP BY is_mark, key
        -- Of marks there are as many as partitions, whatever is wanted of values.
        LIMIT greatest({most:UInt32}, 10000) + 1 BY is_mark
    ),
    ordered AS (SELECT * FROM counted ORDER BY /*{order}*/)
SELECT
    countIf(NOT is_mark) > {most:UInt32} OR sum(length(key)) > {most_bytes:UInt32} AS is_long,
    if(is_long, [], groupArrayIf(key, NOT is_mark)) AS values,
    if(is_long, [], groupArrayIf(sum_of_facts, NOT is_mark)) AS facts,
    groupArrayIf(toUInt32OrZero(key), is_mark) AS parts,
    groupArrayIf(batch, is_mark) AS batches
FROM ordered
