-- Folders that audience features are kept in, at most a hundred a datamart.
create table audience_feature_folders (
	id bigint generated always as identity primary key,
	datamart_id bigint not null references datamarts (id),
	name text not null,
	-- Null at the top. What a folder holds moves up when it is removed.
	parent_id bigint,
	creation_ts bigint not null,
	unique (id, datamart_id),
	foreign key (parent_id, datamart_id) references audience_feature_folders (id, datamart_id)
);
create index audience_feature_folders_datamart on audience_feature_folders (datamart_id, id);
create index audience_feature_folders_parent on audience_feature_folders (parent_id);

-- Until now the number named nothing.
update audience_features set folder_id = null where folder_id is not null;
alter table audience_features add constraint audience_features_folder
	foreign key (folder_id, datamart_id) references audience_feature_folders (id, datamart_id);
create index audience_features_in_folder on audience_features (folder_id);
