-- funnel on a cluster: each shard follows the chains of the people whose rows are all on it and tells their sums; of those
-- who were ever merged, whose rows may lie on several, it tells the rows it gathered. Here these become whole people, their
-- chains are followed, and everything is added up (docs/adr/0039).
-- A row of `gathered` is either one person, or (user_point = 0) what the shards have summed up of a group already.
-- Slots: shards = the answers of sql/analytics/funnel.sql on every shard; joined = columns of a person out of its parts;
-- levels as there; source = with the groups a row counts in; columns and tail = what is answered.
-- All rows of a chain stand in branches of `if(told, ...)`: evaluated late, each would be worked out once for every way
-- through the levels before it, twice as often with every other step.
WITH
    gathered AS (
        SELECT
            sent AS user_point,
            whole AS told_whole,
            group_values AS told_values,
            sum(total) AS told_total,
            sumForEach(counts) AS told_counts,
            sumForEach(elapsed_ms) AS told_elapsed_ms,
            sumForEach(money) AS told_money,
            sumForEach(units) AS told_units,
            /*{joined}*/
        FROM /*{shards}*/
        GROUP BY user_point, told_whole, told_values
    ),
    /*{levels}*/
SELECT
    counted_in.1 AS whole,
    counted_in.2 AS group_values,
    /*{columns}*/
FROM /*{source}*/
ARRAY JOIN if(told, [(told_whole, told_values)], groups) AS counted_in
GROUP BY whole, group_values
/*{tail}*/
SETTINGS short_circuit_function_evaluation = 'disable'
