-- funnel: how far into the steps each user point got, and by which rows: one scan of the period, exact.
-- Answers differ by the last slots only: counts and sums over all user points, each user point's chain, or a list of some.
-- Slots: conditions, gathered = the rows of each distinct step condition, per user point and held value
-- (src/query/gathering.ts, holding.ts); facts, kept = the table, what is joined to it and which of its rows are looked at (src/query/scan.ts);
-- levels = the CTEs from there to `chains` (src/query/chain.ts); columns, source and tail = what is answered.
WITH
    gathered AS (
        WITH
            /*{conditions}*/
        SELECT
            /*{user_point}*/ AS user_point,
            /*{gathered}*/
        FROM /*{facts}*/
        WHERE /*{kept}*/
        GROUP BY /*{grouped}*/
    ),
    /*{levels}*/
SELECT
    /*{columns}*/
FROM /*{source}*/
/*{tail}*/
