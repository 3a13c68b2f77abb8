-- How a version's properties are shown in forms: the layout as its developer sent it, and its texts by locale.
create table plugin_layouts (
	plugin_version_id bigint primary key references plugin_versions (id),
	content bytea not null,
	last_modified_ts bigint not null
);

create table plugin_layout_translations (
	plugin_version_id bigint not null references plugin_versions (id),
	-- A canonical language tag, such as en-US.
	locale text not null,
	content bytea not null,
	last_modified_ts bigint not null,
	primary key (plugin_version_id, locale)
);
