-- Dead letters that can be read, replayed and removed. A closed letter keeps its row, without the activity: a batch
-- that is tried again, or a replay that is drained twice, still finds that it was dealt with.

-- Letters of before hold no whole journal record; what they spoke of is stored.
DELETE FROM dead_letters;

ALTER TABLE dead_letters
    ADD COLUMN closed_ms bigint,
    ADD COLUMN closed_by text CHECK (closed_by IN ('replay', 'removal')),
    -- The journal record that replays the letter, the first one the stores met: any other is left out.
    ADD COLUMN replayed_instance integer,
    ADD COLUMN replayed_arrival bigint;

CREATE INDEX dead_letters_open ON dead_letters (datamart_id, id) WHERE closed_ms IS NULL;
