-- timelines.count: how many activities a user point has.
SELECT count() AS total
FROM activities_v1
WHERE datamart_id = {datamartId:UInt32} AND user_point_id IN {userPointIds:Array(UInt64)}
