-- funnel.lastMerges: the newest merges of user points that were told, as sequences. One that is missing among them was
-- given up, or will be told later, by a transaction that is slower than those that took their number after it.
SELECT arraySort(groupUniqArray(merge_sequence)) AS sequences
FROM user_point_merge_history_v1
WHERE merge_sequence + {look_back:UInt32} > (SELECT max(merge_sequence) FROM user_point_merge_history_v1)
