-- Long-term API tokens: a digest, and the first characters so that their holder can tell them apart.
create table api_tokens (
	id bigint generated always as identity primary key,
	user_id bigint not null references users (id) on delete cascade,
	name text,
	token_sha256 text not null constraint api_tokens_digest unique,
	token_start text not null,
	creation_ts bigint not null,
	expiration_ts bigint not null,
	-- Written now and then in the background: some minutes behind.
	last_use_ts bigint
);
create index api_tokens_user on api_tokens (user_id, id);

-- Instances remember only tokens they found: a new one, a new name and a use change nothing of that.
create trigger api_tokens_revision after delete or truncate or update of user_id, token_sha256, expiration_ts on api_tokens
	for each statement execute function bump_revision('credentials');
