import {Nothing, ok} from '../../http/envelope.ts';
import {okPage, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {parseId} from '../../lib/ids.ts';
import {
	FolderAnswer,
	FolderChange,
	FolderRequest,
	FoldersQuery,
	folderToWire,
} from './audience-feature-folders.schema.ts';
import type {FolderStore} from './audience-feature-folders.store.ts';
import {changeFolder, createFolder, getFolder, removeFolder} from './audience-feature-folders.ts';

const LIST = '/v1/datamarts/:datamartId/audience_feature_folders';
const ONE = `${LIST}/:audienceFeatureFolderId`;

export function audienceFeatureFolderRoutes(folders: FolderStore): Route[] {
	const keyOf = ({datamart, params}: Pick<RouteRequest<unknown, unknown>, 'datamart' | 'params'>) => {
		const id = parseId(params.audienceFeatureFolderId ?? '');
		return {datamartId: datamart.id, ...(id !== undefined && {id})};
	};
	return [
		route({
			method: 'GET',
			path: LIST,
			summary: 'Folders of a datamart’s audience features, with what is right in them',
			action: 'audience_features:read',
			query: FoldersQuery,
			answer: {page: FolderAnswer},
			async handle({datamart, query}) {
				const paging = toPaging(query);
				const page = await folders.list({datamartId: datamart.id, keywords: query.keywords}, paging);
				return okPage({...page, items: page.items.map(folderToWire)}, paging);
			},
		}),
		route({
			method: 'POST',
			path: LIST,
			summary: 'Create a folder, at the top or in another one; a datamart has at most 100',
			action: 'audience_features:write',
			audit: 'audience_feature_folder_created',
			body: FolderRequest,
			answer: FolderAnswer,
			errors: ['folders_excessive'],
			async handle({datamart, body}) {
				return ok(folderToWire(await createFolder(folders, datamart.id, body)));
			},
		}),
		route({
			method: 'GET',
			path: ONE,
			summary: 'One folder of audience features',
			action: 'audience_features:read',
			answer: FolderAnswer,
			errors: ['audience_feature_folder_not_found'],
			async handle(request) {
				return ok(folderToWire(await getFolder(folders, keyOf(request))));
			},
		}),
		route({
			method: 'PUT',
			path: ONE,
			summary: 'Rename a folder, or move it',
			action: 'audience_features:write',
			audit: 'audience_feature_folder_changed',
			body: FolderChange,
			answer: FolderAnswer,
			errors: ['audience_feature_folder_not_found'],
			async handle(request) {
				return ok(folderToWire(await changeFolder(folders, keyOf(request), request.body)));
			},
		}),
		route({
			method: 'DELETE',
			path: ONE,
			summary: 'Remove a folder; what it holds moves to the one above',
			action: 'audience_features:write',
			audit: 'audience_feature_folder_removed',
			answer: Nothing,
			errors: ['audience_feature_folder_not_found'],
			async handle(request) {
				await removeFolder(folders, keyOf(request));
				return ok({});
			},
		}),
	];
}
