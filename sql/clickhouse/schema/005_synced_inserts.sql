-- An INSERT answers once its part is on disk: the journal lets go of a batch after that, so a power cut loses nothing.
-- Merged parts too, since the parts they replace go after eight minutes. The deduplication log is never synced
-- (ClickHouse#111577): a batch in doubt is looked for by batch_id instead.
ALTER TABLE fact_rows_v1 MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
;
ALTER TABLE activities_v1 MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
;
ALTER TABLE user_point_merges_v1 MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
;
ALTER TABLE user_segments_v1 MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
