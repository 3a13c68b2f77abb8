-- Who owns what: communities hold organisations, organisations hold datamarts, datamarts hold compartments and channels.
-- Instants are epoch milliseconds, as on the wire.

create table communities (
	id bigint generated always as identity primary key,
	name text not null,
	created_ts bigint not null
);

create table organisations (
	id bigint generated always as identity primary key,
	community_id bigint not null references communities (id),
	-- The organisation above; a sub-organisation is reached by the roles held there.
	administrator_id bigint references organisations (id),
	market_id bigint,
	name text not null,
	technical_name text,
	customer_type text not null,
	archived boolean not null default false,
	created_by bigint,
	created_ts bigint not null,
	last_modified_by bigint,
	last_modified_ts bigint not null,
	check (administrator_id <> id)
);
create unique index organisations_technical_name on organisations (community_id, technical_name);
create index organisations_administrator on organisations (administrator_id);

create table datamarts (
	id bigint generated always as identity primary key,
	organisation_id bigint not null references organisations (id),
	name text not null,
	token text not null constraint datamarts_token unique,
	creation_ts bigint not null,
	time_zone text not null,
	type text not null default 'DATAMART',
	datafarm text not null,
	storage_model_version text not null,
	user_point_system_version text not null,
	region text not null,
	archived boolean not null default false
);
create index datamarts_organisation on datamarts (organisation_id);

create table compartments (
	id bigint generated always as identity primary key,
	datamart_id bigint not null references datamarts (id),
	name text not null,
	token text not null,
	is_default boolean not null default false,
	archived boolean not null default false,
	creation_ts bigint not null,
	constraint compartments_token unique (datamart_id, token)
);
-- An activity that names an account and no compartment needs exactly one answer.
create unique index compartments_one_default on compartments (datamart_id) where is_default;

create table channels (
	id bigint generated always as identity primary key,
	datamart_id bigint not null references datamarts (id),
	type text not null check (type in ('SITE', 'MOBILE_APPLICATION')),
	name text not null,
	token text not null constraint channels_token unique,
	domain text,
	enable_analytics boolean not null,
	enable_installation_id_aggregation boolean not null default false,
	creation_ts bigint not null
);
create index channels_datamart on channels (datamart_id);
