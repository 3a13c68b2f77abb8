-- Forms by which people build segments from chosen features; at most 20 a datamart, counted under the datamart's row lock.
create table segment_builders (
	id bigint generated always as identity primary key,
	datamart_id bigint not null references datamarts (id),
	name text not null,
	-- Ids of audience features, in the order they are shown.
	feature_ids jsonb not null,
	creation_ts bigint not null
);
create index segment_builders_datamart on segment_builders (datamart_id, id);
