-- Message authentication keys: the secret must be recoverable to check a signature, so it stands here sealed.
create table signing_keys (
	id bigint generated always as identity primary key,
	user_id bigint not null references users (id) on delete cascade,
	scheme text not null check (scheme = 'HMAC_SHA256'),
	-- Chosen by the caller, and the only name a signed request gives: one for all users.
	key_id text not null constraint signing_keys_key_id unique,
	secret_sealed bytea not null,
	creation_ts bigint not null,
	expiration_ts bigint not null
);
create index signing_keys_user on signing_keys (user_id, id);

create trigger signing_keys_revision after update or delete or truncate on signing_keys
	for each statement execute function bump_revision('credentials');
