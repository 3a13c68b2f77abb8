-- Where several instances share this database: which acceptance a key ($unique_key, Idempotency-Key) belongs to.
-- Each instance knows its own keys from its journal; the drains decide here between two instances.
CREATE TABLE activity_keys (
    -- Keyed hash, 16 bytes, per datamart.
    key bytea PRIMARY KEY,
    instance integer NOT NULL,
    arrival bigint NOT NULL,
    accepted_ms bigint NOT NULL
);
CREATE INDEX activity_keys_accepted ON activity_keys (accepted_ms);
