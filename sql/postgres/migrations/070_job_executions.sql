-- Bulk work. A document import says what kind of file its executions bring; a job execution is one file's way through.

create table document_imports (
	id bigint generated always as identity primary key,
	datamart_id bigint not null references datamarts (id),
	name text not null,
	document_type text not null,
	mime_type text not null,
	encoding text not null,
	priority text not null,
	creation_ts bigint not null,
	-- Its executions stay, and what they prove.
	removed_ts bigint
);
create index document_imports_datamart on document_imports (datamart_id, id) where removed_ts is null;

-- Asked for before the row is written: a job's files are named by it.
create sequence job_execution_ids;

create table job_executions (
	id bigint primary key,
	job_type text not null,
	organisation_id bigint not null references organisations (id),
	datamart_id bigint not null references datamarts (id),
	document_import_id bigint references document_imports (id),
	user_id bigint,
	parameters jsonb not null,
	status text not null check (status in ('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED')),
	creation_ts bigint not null,
	start_ts bigint,
	end_ts bigint,
	num_tasks integer not null,
	completed_tasks integer not null default 0,
	erroneous_tasks integer not null default 0,
	retry_count integer not null default 0,
	cancel_status text check (cancel_status in ('REQUESTED', 'DONE')),
	result jsonb,
	error jsonb,
	-- Of whoever runs it: how far it is.
	progress jsonb,
	-- Which claim is the running one: what an earlier one still writes is refused.
	claim integer not null default 0,
	claimed_by integer,
	-- Until then it is nobody else's; before then it is not tried again.
	lease_until_ts bigint not null default 0
);
create index job_executions_import on job_executions (document_import_id, id desc);
create index job_executions_datamart on job_executions (datamart_id, job_type, id desc);
create index job_executions_open on job_executions (id) where status in ('PENDING', 'RUNNING');

-- What a running job has to say line by line, until it ends and it becomes files.
create table job_execution_parts (
	execution_id bigint not null references job_executions (id),
	part integer not null,
	-- ndjson, whole lines.
	errors text not null,
	receipt text not null,
	primary key (execution_id, part)
);
