-- A fingerprint of the key that seals what is in this database: another key at start is refused, since nothing sealed
-- could be opened and no identifier be found.
CREATE TABLE secret_key (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    fingerprint bytea NOT NULL
);
