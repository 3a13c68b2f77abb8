-- Values that an organisation's instances of a version are made with, fixed. Archiving is for good: instances keep theirs.
create table plugin_presets (
	id bigint generated always as identity primary key,
	organisation_id bigint not null references organisations (id),
	plugin_version_id bigint not null references plugin_versions (id),
	name text not null,
	description text,
	-- [{technicalName, propertyType, value}]; json, not jsonb: values come back as they were given.
	properties json not null,
	archived boolean not null default false,
	creation_ts bigint not null
);
create index plugin_presets_organisation on plugin_presets (organisation_id, id);
