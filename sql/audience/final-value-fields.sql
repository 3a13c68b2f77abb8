-- finalValues.fields: the fields that have any of these values (given in lower case), with those each of them has.
SELECT path, arraySort(groupUniqArray(500)(value)) AS found
FROM final_values_v1
WHERE datamart_id = {datamartId:UInt32}
  AND execution_id = {executionId:UInt64}
  AND folded IN {values:Array(String)}
GROUP BY path
ORDER BY path
