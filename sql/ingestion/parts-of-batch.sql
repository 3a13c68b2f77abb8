-- drain.partsOfBatch: in which partitions the values of a batch have been counted. Batches of an instance come in order.
SELECT toString(part) AS part
FROM dimension_values_v1
WHERE datamart_id = 0 AND dimension = '' AND value = {instance:String}
GROUP BY part
HAVING max(last_batch) >= {batchId:UInt64}
