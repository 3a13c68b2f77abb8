import {DomainError, invalidField, notFound} from '../../errors.ts';
import type {FolderChange, FolderRequest} from './audience-feature-folders.schema.ts';
import type {FolderStore} from './audience-feature-folders.store.ts';

/** Where audience features are kept, so that people find them. */
export interface AudienceFeatureFolder {
	readonly id: number;
	readonly datamartId: number;
	readonly name: string;
	/** Null at the top. */
	readonly parentId: number | null;
	/** Folders and features right in it, by id. */
	readonly childIds: readonly number[];
	readonly featureIds: readonly number[];
}

/** As the field has it; a datamart has no more. */
export const MAX_FOLDERS = 100;

/** The words clients match (field guide, "Envelope, errors, paging"). */
export function foldersExcessive(): DomainError {
	return new DomainError('folders_excessive', 'Maximum authorized number of folders reached');
}

type Key = Pick<AudienceFeatureFolder, 'id' | 'datamartId'>;

/** Errors: `audience_feature_folder_not_found`, another datamart's among them. */
export async function getFolder(
	store: FolderStore,
	{id, datamartId}: Partial<Key> & Pick<Key, 'datamartId'>,
) {
	const folder = id === undefined ? undefined : await store.find({id, datamartId});
	if (!folder) throw notFound('audience_feature_folder_not_found');
	return folder;
}

/** Errors: `folders_excessive`, `field_invalid` naming the field. */
export async function createFolder(
	store: FolderStore,
	datamartId: number,
	request: FolderRequest,
): Promise<AudienceFeatureFolder> {
	assertDatamart(request.datamartId, datamartId);
	return store.create({datamartId, name: request.name, parentId: request.parentId});
}

/** Errors: `audience_feature_folder_not_found`, `field_invalid` where the new parent is none, or within the folder. */
export async function changeFolder(
	store: FolderStore,
	key: Partial<Key> & Pick<Key, 'datamartId'>,
	request: FolderChange,
): Promise<AudienceFeatureFolder> {
	assertDatamart(request.datamartId, key.datamartId);
	const {id, datamartId, name, parentId} = await getFolder(store, key);
	const changed = await store.update(
		{id, datamartId},
		{name: request.name ?? name, parentId: request.parentId === undefined ? parentId : request.parentId},
	);
	if (!changed) throw notFound('audience_feature_folder_not_found');
	return changed;
}

/** What it holds moves to the folder above it. Error: `audience_feature_folder_not_found`. */
export async function removeFolder(
	store: FolderStore,
	key: Partial<Key> & Pick<Key, 'datamartId'>,
): Promise<void> {
	const {id, datamartId} = await getFolder(store, key);
	if (!(await store.remove({id, datamartId}))) throw notFound('audience_feature_folder_not_found');
}

function assertDatamart(given: number | undefined, datamartId: number): void {
	if (given === undefined || given === datamartId) return;
	throw invalidField('/datamart_id', 'is not the datamart of the address');
}
