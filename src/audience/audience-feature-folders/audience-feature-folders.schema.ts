import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {absentWhenNull, IdField, NameField} from '../../tenants/fields.schema.ts';
import type {AudienceFeatureFolder} from './audience-feature-folders.ts';

const Body = {datamart_id: absentWhenNull(IdField)};

/** Body of POST (field guide, "Reference tables / final values"); what a folder holds is told by what names it. */
export const FolderRequest = z
	.looseObject({...Body, name: NameField, parent_id: absentWhenNull(IdField)})
	.transform(({name, parent_id: parentId, datamart_id: datamartId}) => ({
		name,
		parentId: parentId ?? null,
		datamartId,
	}));
export type FolderRequest = z.output<typeof FolderRequest>;

/** Body of PUT: what is absent stays; a `parent_id` of null moves the folder to the top. */
export const FolderChange = z
	.looseObject({...Body, name: absentWhenNull(NameField), parent_id: IdField.nullish()})
	.transform(({name, parent_id: parentId, datamart_id: datamartId}) => ({name, parentId, datamartId}));
export type FolderChange = z.output<typeof FolderChange>;

export const FoldersQuery = z.looseObject({
	...PagingQuery.shape,
	keywords: z.string().max(1000).optional(),
});

export const FolderAnswer = z.object({
	id: z.string(),
	name: z.string(),
	datamart_id: z.string(),
	parent_id: z.string().nullable(),
	children_ids: z.array(z.string()),
	audience_features_ids: z.array(z.string()),
});

export function folderToWire(folder: AudienceFeatureFolder): z.input<typeof FolderAnswer> {
	return {
		id: String(folder.id),
		name: folder.name,
		datamart_id: String(folder.datamartId),
		parent_id: folder.parentId === null ? null : String(folder.parentId),
		children_ids: folder.childIds.map(String),
		audience_features_ids: folder.featureIds.map(String),
	};
}
