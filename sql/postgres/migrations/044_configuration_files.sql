-- Files that a version's plugin worker reads its settings from: bytes by name.
create table configuration_files (
	plugin_version_id bigint not null references plugin_versions (id),
	technical_name text not null,
	content bytea not null,
	creation_ts bigint not null,
	last_modified_ts bigint not null,
	primary key (plugin_version_id, technical_name)
);
