-- What instances keep in memory has a revision here, bumped by the statement that changes it. The bump becomes
-- visible with the change itself, at commit: whoever reads revision first and content second misses nothing.

create table revisions (
	name text primary key,
	revision bigint not null
);
insert into revisions (name, revision) values ('directory', 1), ('credentials', 1);

create function bump_revision() returns trigger language plpgsql as $$
begin
	update revisions set revision = revision + 1 where name = tg_argv[0];
	return null;
end
$$;

create trigger organisations_revision after insert or update or delete or truncate on organisations
	for each statement execute function bump_revision('directory');
create trigger datamarts_revision after insert or update or delete or truncate on datamarts
	for each statement execute function bump_revision('directory');
create trigger compartments_revision after insert or update or delete or truncate on compartments
	for each statement execute function bump_revision('directory');
create trigger channels_revision after insert or update or delete or truncate on channels
	for each statement execute function bump_revision('directory');

-- Logging in changes nothing that is cached, and expired tokens are forgotten by their date: access_tokens has none.
create trigger users_revision after insert or update or delete or truncate on users
	for each statement execute function bump_revision('credentials');
create trigger user_roles_revision after insert or update or delete or truncate on user_roles
	for each statement execute function bump_revision('credentials');
