-- Which hours of a datamart's facts changed how often, and whether they are being written now: what a kept answer is
-- compared with (docs/adr/0021). Told by each instance before and after its batch; hours since 1970, UTC.
-- Hour -1: any of the datamart's. Datamart 0: merges of user points. Rows are never removed: versions would go back.
create table touched_hours (
	datamart_id integer not null,
	hour integer not null,
	instance integer not null,
	version bigint not null,
	writing boolean not null,
	primary key (datamart_id, hour, instance)
);
create index touched_hours_writing on touched_hours (instance) where writing;
