-- Each row is written again less often: parts are merged by about twelve and not by five. Two thirds of what batches cost the
-- engine was merging (docs/adr/0017); while rows come in there are up to 16 parts of a month instead of 10.
ALTER TABLE fact_rows_v1 MODIFY SETTING merge_selector_base = 12
;
ALTER TABLE activities_v1 MODIFY SETTING merge_selector_base = 12
