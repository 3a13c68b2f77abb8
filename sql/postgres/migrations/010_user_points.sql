-- User points and their identifiers (semantics.md, User points). An identifier's text stands here alone, sealed;
-- it is looked up by a keyed hash, and everything else refers to its id.
CREATE SEQUENCE user_point_ids;

CREATE TABLE user_points (
    id bigint PRIMARY KEY,
    datamart_id integer NOT NULL,
    created_ms bigint NOT NULL,
    -- How many identifiers it holds; it takes no more than the stated cap.
    identifiers integer NOT NULL,
    -- The survivor, once merged: always the last of the path.
    merged_into bigint
);
CREATE INDEX user_points_merged_into ON user_points (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE user_identifiers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    datamart_id integer NOT NULL,
    -- Keyed hash (16 bytes) of kind, compartment and text.
    key bytea NOT NULL,
    user_point_id bigint NOT NULL,
    kind text NOT NULL,
    compartment_id integer,
    -- Text (and e-mail address) encrypted with the service's key.
    sealed bytea NOT NULL,
    created_ms bigint NOT NULL,
    UNIQUE (datamart_id, key)
);
CREATE INDEX user_identifiers_user_point ON user_identifiers (user_point_id);

-- What the warehouse must learn, in order; it reads on from the last sequence it has.
CREATE TABLE user_point_merges (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    datamart_id integer NOT NULL,
    user_point_id bigint NOT NULL,
    into_user_point_id bigint NOT NULL,
    merged_ms bigint NOT NULL
);

-- What could not be processed after acceptance, with its reason; nothing accepted is silently gone.
CREATE TABLE dead_letters (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    datamart_id integer NOT NULL,
    instance integer NOT NULL,
    arrival bigint NOT NULL,
    reason text NOT NULL,
    message text NOT NULL,
    received_ms bigint NOT NULL,
    created_ms bigint NOT NULL,
    -- The journal record, sealed; absent where the activity itself was stored.
    sealed bytea,
    UNIQUE (instance, arrival, reason)
);

-- One number a data directory: its rows tell apart what several instances accept.
CREATE TABLE instances (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token text NOT NULL UNIQUE,
    created_ms bigint NOT NULL
);
