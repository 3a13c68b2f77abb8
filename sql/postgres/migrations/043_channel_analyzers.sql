-- Which analyzers the activities of a channel go through, in order; at most five, held in the statement that adds one.
create table channel_analyzers (
	id bigint generated always as identity primary key,
	channel_id bigint not null references channels (id) on delete cascade,
	instance_id bigint not null constraint channel_analyzers_instance references plugin_instances (id),
	execution_order integer not null,
	creation_ts bigint not null,
	created_by bigint,
	constraint channel_analyzers_order unique (channel_id, execution_order)
);
create index channel_analyzers_instance_index on channel_analyzers (instance_id);

-- Every instance keeps all chains in memory: accepting asks no database.
insert into revisions (name, revision) values ('analyzers', 1);

create trigger channel_analyzers_revision after insert or update or delete or truncate on channel_analyzers
	for each statement execute function bump_revision('analyzers');
create trigger plugin_instances_revision
	after update of plugin_version_id, error_recovery_strategy, organisation_id on plugin_instances
	for each statement execute function bump_revision('analyzers');
create trigger plugin_versions_revision after update of max_qps on plugin_versions
	for each statement execute function bump_revision('analyzers');
create trigger plugin_workers_revision
	after insert or delete or truncate or update of url, worker_id, token_sealed on plugin_workers
	for each statement execute function bump_revision('analyzers');
