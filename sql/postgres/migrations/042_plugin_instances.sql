-- Plugins put to use: activity analyzers, email routers, and email templates with the renderer of each.
-- One sequence for all of them: either id of an email template resolves, and no two kinds share an id.
create sequence plugin_instances_id as bigint;

create table plugin_instances (
	id bigint primary key default nextval('plugin_instances_id'),
	organisation_id bigint not null references organisations (id),
	plugin_id bigint not null references plugins (id),
	plugin_version_id bigint not null references plugin_versions (id),
	-- That of the plugin, which never changes.
	plugin_type text not null,
	name text not null,
	error_recovery_strategy text check (error_recovery_strategy in (
		'STORE_WITH_ERROR_ID', 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS', 'DROP'
	)),
	-- What it was made from: its values were taken over then.
	preset_id bigint,
	creation_ts bigint not null,
	check ((plugin_type = 'ACTIVITY_ANALYZER') = (error_recovery_strategy is not null))
);
create index plugin_instances_organisation on plugin_instances (organisation_id, plugin_type, id);
create index plugin_instances_plugin on plugin_instances (plugin_id);

-- An instance's own values, in place of its version's.
create table plugin_instance_properties (
	instance_id bigint not null references plugin_instances (id) on delete cascade,
	technical_name text not null,
	property_type text not null,
	value json not null,
	-- From a preset: nobody changes it any more.
	fixed boolean not null default false,
	primary key (instance_id, technical_name)
);

create table email_templates (
	id bigint primary key default nextval('plugin_instances_id'),
	renderer_id bigint not null constraint email_templates_renderer unique references plugin_instances (id),
	organisation_id bigint not null references organisations (id),
	name text not null,
	technical_name text,
	subtype text,
	editor_group_id text,
	editor_artifact_id text,
	archived boolean not null default false,
	creation_ts bigint not null
);
create index email_templates_organisation on email_templates (organisation_id, id);
