-- timelines.activities: one page of a user point's activities, newest first.
SELECT activity
FROM activities_v1
WHERE datamart_id = {datamartId:UInt32} AND user_point_id IN {userPointIds:Array(UInt64)}
ORDER BY position DESC
LIMIT {maxResults:UInt32} OFFSET {firstResult:UInt64}
