-- What was deleted, by keyed hash alone: an activity that was accepted before and comes to be stored after must not bring
-- the identifier back (docs/adr/0027). Rows go after 30 days: nothing accepted waits longer.
create table deleted_identifiers (
	datamart_id integer not null,
	-- As in user_identifiers: keyed hash (16 bytes) of kind, compartment and text.
	key bytea not null,
	deleted_ms bigint not null,
	-- Whose it was: what was accepted before belongs there. Null where nobody had it.
	user_point_id bigint,
	primary key (datamart_id, key)
);

-- One row a deletion's step, in order of commit: drains learn from it which identifiers to forget.
create table identifier_deletions (
	revision bigint primary key,
	datamart_id integer not null,
	deleted_ms bigint not null,
	identifier_ids bigint[] not null
);

-- Taken by each step until it commits, so that a revision is never seen before a smaller one.
create table identifier_deletion_revision (
	only_one boolean primary key default true check (only_one),
	revision bigint not null
);
insert into identifier_deletion_revision (revision) values (0);
