-- funnel.words: the words of a dimension in the days asked for and some around them, at most so many, in no order. They may
-- be a little behind the facts.
SELECT DISTINCT value
FROM dimension_values_v1
WHERE datamart_id = {datamart_id:UInt32}
  AND dimension = {dimension:String}
  AND span = {span:UInt16}
  AND local_day >= {from_day:UInt16} AND local_day < {until_day:UInt16}
LIMIT {most:UInt32}
