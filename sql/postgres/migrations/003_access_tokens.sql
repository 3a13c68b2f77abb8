-- Temporary access tokens: only a digest is kept, so that a copy of this table opens nothing.

create table access_tokens (
	id bigint generated always as identity primary key,
	token_sha256 text not null constraint access_tokens_digest unique,
	user_id bigint not null references users (id) on delete cascade,
	creation_ts bigint not null,
	expiration_ts bigint not null
);
create index access_tokens_expiration on access_tokens (expiration_ts);
create index access_tokens_user on access_tokens (user_id);
