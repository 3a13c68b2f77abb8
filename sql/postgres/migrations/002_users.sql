-- Who may log in, and what they may do where.

create table users (
	id bigint generated always as identity primary key,
	community_id bigint not null references communities (id),
	organisation_id bigint not null references organisations (id),
	email text not null,
	first_name text not null,
	last_name text not null,
	locale text,
	-- argon2id, with its parameters and salt inside.
	password_hash text not null,
	last_password_update_ts bigint not null,
	created_ts bigint not null
);
-- People type their address in any case.
create unique index users_email on users (lower(email));

create table user_roles (
	id bigint generated always as identity primary key,
	user_id bigint not null references users (id) on delete cascade,
	organisation_id bigint not null references organisations (id),
	role text not null check (role in ('READER', 'EDITOR', 'ORGANISATION_ADMIN', 'COMMUNITY_ADMIN', 'CUSTOMER_ADMIN')),
	creation_ts bigint not null,
	constraint user_roles_one_per_organisation unique (user_id, organisation_id)
);
