-- Who did what, when and from where. Rows are only added; they outlive the users and organisations they name.
create table audit_events (
	id bigint generated always as identity primary key,
	ts bigint not null,
	event text not null,
	organisation_id bigint,
	user_id bigint,
	credential text,
	credential_id text,
	remote_address text not null,
	resource_id text,
	-- Names of changed fields and a few values that are no secrets (src/audit/audit.ts, TOLD).
	details jsonb not null
);
create index audit_events_organisation on audit_events (organisation_id, id desc);
