-- What 011 and 012 have exchanged for tables with the same rows.
DROP TABLE IF EXISTS fact_rows_by_year SYNC
;
DROP TABLE IF EXISTS activities_by_year SYNC
