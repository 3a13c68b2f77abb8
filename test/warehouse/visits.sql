-- visits.perDay: a statement for the tests of define-query; {ignored:String} in a comment is no parameter.
SELECT /*{what}*/
FROM visits
WHERE datamart_id = {datamartId:UInt64} AND name != '{kept:String}' AND (/*{where}*/)
