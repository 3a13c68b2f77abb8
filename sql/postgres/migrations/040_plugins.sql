-- What plugins there are: strangers' code of seven kinds, in versions, each with the properties that its instances have.
create table plugins (
	id bigint generated always as identity primary key,
	organisation_id bigint not null references organisations (id),
	plugin_type text not null check (plugin_type in (
		'ACTIVITY_ANALYZER', 'DISPLAY_AD_RENDERER', 'AUDIENCE_SEGMENT_EXTERNAL_FEED', 'EMAIL_ROUTER',
		'EMAIL_TEMPLATE_RENDERER', 'ATTRIBUTION_PROCESSOR', 'SCENARIO_CUSTOM_ACTION'
	)),
	group_id text not null,
	artifact_id text not null,
	current_version_id bigint,
	archived boolean not null default false,
	creation_ts bigint not null,
	constraint plugins_name unique (organisation_id, group_id, artifact_id)
);

create table plugin_versions (
	id bigint generated always as identity primary key,
	plugin_id bigint not null references plugins (id),
	-- As its developer calls it, such as 1.0.0: version_id on the wire.
	version_value text not null,
	maintainer_id bigint,
	build_tag text,
	image_name text,
	-- Calls a second of all its instances together; null: as many as there are.
	max_qps double precision check (max_qps > 0),
	archived boolean not null default false,
	creation_ts bigint not null,
	constraint plugin_versions_name unique (plugin_id, version_value)
);

alter table plugins add foreign key (current_version_id) references plugin_versions (id);

create table plugin_properties (
	plugin_version_id bigint not null references plugin_versions (id),
	-- In the order they were given.
	position integer not null,
	technical_name text not null,
	property_type text not null,
	-- An object whose shape the type says; json, not jsonb: it comes back as it was given.
	value json not null,
	origin text not null check (origin in ('PLUGIN_STATIC', 'PLUGIN')),
	writable boolean not null,
	deletable boolean not null,
	primary key (plugin_version_id, technical_name)
);
