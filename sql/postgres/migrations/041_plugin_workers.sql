-- Where a version's plugin worker listens, and what it shows when it calls back: a digest to check it by, and the token
-- itself, sealed, since the worker is told it again whenever it is greeted.
create table plugin_workers (
	plugin_version_id bigint primary key references plugin_versions (id),
	url text not null,
	worker_id text not null constraint plugin_workers_worker_id unique,
	token_sha256 text not null,
	token_sealed bytea not null,
	creation_ts bigint not null,
	-- As it was when some instance last greeted it, and when that last changed.
	reachable boolean not null default false,
	reachable_ts bigint
);

-- Instances remember only credentials they found: a new worker and a greeting change nothing of that.
create trigger plugin_workers_credentials after delete or truncate or update of worker_id, token_sha256 on plugin_workers
	for each statement execute function bump_revision('credentials');
