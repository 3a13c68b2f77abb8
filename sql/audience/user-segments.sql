-- userSegments.memberships: all that is written about the segments of a person, under each of their user points,
-- left and expired ones included: a further write must know them.
SELECT user_point_id, segment_id, created_ms, modified_ms, expires_ms, data_bag
FROM segment_memberships_v1 FINAL
WHERE datamart_id = {datamartId:UInt32} AND user_point_id IN {userPointIds:Array(UInt64)}
ORDER BY segment_id, user_point_id
