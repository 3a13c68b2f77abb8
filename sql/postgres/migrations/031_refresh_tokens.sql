-- What a client keeps instead of a password: only a digest, as of access tokens. Revoking one ends the access tokens
-- made with it, on every instance: the trigger has them look again.
create table refresh_tokens (
	id bigint generated always as identity primary key,
	token_sha256 text not null constraint refresh_tokens_digest unique,
	user_id bigint not null references users (id) on delete cascade,
	creation_ts bigint not null,
	expiration_ts bigint not null
);
create index refresh_tokens_expiration on refresh_tokens (expiration_ts);
create index refresh_tokens_user on refresh_tokens (user_id);

alter table access_tokens add column refresh_token_id bigint references refresh_tokens (id) on delete cascade;
create index access_tokens_refresh_token on access_tokens (refresh_token_id) where refresh_token_id is not null;

create trigger refresh_tokens_revision after delete or truncate on refresh_tokens
	for each statement execute function bump_revision('credentials');
