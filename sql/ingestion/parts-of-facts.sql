-- drain.partsOfFacts: which datamarts have facts in which partitions.
SELECT DISTINCT _partition_id AS part, datamart_id
FROM fact_rows_v1
ORDER BY part, datamart_id
