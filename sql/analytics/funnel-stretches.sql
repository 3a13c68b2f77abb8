-- funnel.stretches: how many facts a datamart has and of what time, by the table's own index, and the user points that part
-- them into equal shares. Blocks are counted whole: right to some thousands of rows for each part of the table.
SELECT
    getSetting('max_threads') AS threads,
    sum(rows_in_granule) AS facts,
    bitShiftRight(min(position), 22) AS from_ms,
    bitShiftRight(max(position), 22) AS until_ms,
    arrayMap(each -> toString(each), quantilesExactWeighted(1/4, 1/3, 1/2, 2/3, 3/4)(user_point_id, rows_in_granule)) AS user_points
FROM mergeTreeIndex(currentDatabase(), 'fact_rows_v1')
WHERE datamart_id = {datamart_id:UInt32} AND user_point_id > 0
