-- drain.positionsOfBatch: which rows of a batch in doubt are already in a table; a position is unique within a batch.
-- Instances: the one that drains, and those whose activities the batch replays out of the dead letters.
-- Slots: table = its name, from the drain's own list.
SELECT position
FROM /*{table}*/
WHERE batch_id = {batchId:UInt64} AND has({instances:Array(UInt16)}, instance)
