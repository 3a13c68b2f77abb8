-- What the values of audience features are checked against, and which import of final values holds.

-- One schema a datamart: made with the default text when it is first asked for.
create table datamart_schemas (
	id bigint generated always as identity primary key,
	datamart_id bigint not null constraint datamart_schemas_datamart unique references datamarts (id),
	-- GraphQL's schema language; paths begin at its type UserPoint.
	text text not null,
	creation_ts bigint not null,
	last_modified_ts bigint not null
);

-- Searches read the values of this execution and no other: a file replaces them at once, or not at all.
create table final_value_versions (
	datamart_id bigint primary key references datamarts (id),
	execution_id bigint not null references job_executions (id)
);
