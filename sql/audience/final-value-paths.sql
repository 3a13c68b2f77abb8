-- finalValues.paths: the fields that an import of final values brought values of.
SELECT DISTINCT path
FROM final_values_v1
WHERE datamart_id = {datamartId:UInt32}
  AND execution_id = {executionId:UInt64}
ORDER BY path
