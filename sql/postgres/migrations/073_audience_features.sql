-- Audience features: questions about people with places for values, which segment builders are made of.
create table audience_features (
	id bigint generated always as identity primary key,
	datamart_id bigint not null references datamarts (id),
	name text not null,
	description text,
	token text not null,
	addressable_object text not null,
	object_tree_expression text not null,
	folder_id bigint,
	-- [{fieldName, parameterName, path, type}]
	variables jsonb not null,
	creation_ts bigint not null,
	constraint audience_features_token unique (datamart_id, token)
);
create index audience_features_datamart on audience_features (datamart_id, id);
