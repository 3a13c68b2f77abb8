-- funnel.batches: by instance, the last batch of which a datamart has a row. Of our own instance only what is newer than
-- what the drain has confirmed is looked for: the index over batch_id leaves out all older parts.
SELECT instance AS of_instance, max(batch_id) AS last_batch
FROM fact_rows_v1
WHERE datamart_id = {datamart_id:UInt32} AND instance != {own_instance:UInt16}
GROUP BY instance
UNION ALL
SELECT {own_instance:UInt16} AS of_instance, max(batch_id) AS last_batch
FROM fact_rows_v1
WHERE datamart_id = {datamart_id:UInt32} AND instance = {own_instance:UInt16} AND batch_id >= {stored_before:UInt64}
