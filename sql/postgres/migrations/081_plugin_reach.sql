-- What a plugin worker reaches are the organisations that have an instance of its plugin: every service keeps that in
-- memory with its credentials.
create trigger plugin_instances_credentials
	after insert or delete or truncate or update of organisation_id, plugin_id on plugin_instances
	for each statement execute function bump_revision('credentials');
