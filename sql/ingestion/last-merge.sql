-- drain.lastMerge: the newest merge the warehouse has learnt; 0 where it has none.
SELECT max(merge_sequence) AS sequence
FROM user_point_merges_v1
