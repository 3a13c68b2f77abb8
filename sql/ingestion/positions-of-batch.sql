-- drain.positionsOfBatch: which rows of a batch in doubt are already in a table; a position is unique within a batch.
-- Slots: table = its name, from the drain's own list.
SELECT position
FROM /*{table}*/
WHERE batch_id = {batchId:UInt64} AND instance = {instance:UInt16}
