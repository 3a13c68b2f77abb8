-- autocomplete.completeness: whether the facts of before the table of values was there have been counted into it.
SELECT count() > 0 AS is_complete
FROM dimension_values_v1
WHERE datamart_id = 0 AND dimension = '' AND value = 'complete'
