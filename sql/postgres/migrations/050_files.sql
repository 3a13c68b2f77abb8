-- Files of organisations: data files by their path, and assets. Contents are blobs on disk or S3, each under a random
-- key of its own and never changed; the row that names a key decides which content is the file's.

-- Every key there ever was until its bytes are gone: what a crash leaves behind is found here, not by listing a bucket.
create table blobs (
	key text primary key,
	state text not null check (state in ('writing', 'kept', 'dropped')),
	since_ts bigint not null
);
create index blobs_to_clear on blobs (since_ts) where state <> 'kept';

create table data_files (
	id bigint generated always as identity primary key,
	organisation_id bigint not null references organisations (id),
	-- Below the organisation's folder, slashes between the parts; nothing on a disk is named so.
	path text not null,
	name text,
	content_type text,
	bytes bigint not null,
	sha256 text not null,
	blob_key text not null references blobs (key),
	creation_ts bigint not null,
	last_modified_ts bigint not null,
	constraint data_files_path unique (organisation_id, path)
);

create table assets (
	id bigint generated always as identity primary key,
	organisation_id bigint not null references organisations (id),
	original_name text not null,
	mime_type text not null,
	bytes bigint not null,
	sha256 text not null,
	blob_key text not null references blobs (key),
	creation_ts bigint not null
);
create index assets_organisation on assets (organisation_id, id);
