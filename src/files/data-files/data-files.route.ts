import {notFound} from '../../errors.ts';
import {Nothing, ok, RawAnswer} from '../../http/envelope.ts';
import {okPage, toPaging} from '../../http/paging.ts';
import {type Route, type RouteRequest, route} from '../../http/route.ts';
import {FORM_BYTES, uploadOf} from '../../http/upload.ts';
import {type Action, assertTheirs} from '../../identity/policy.ts';
import type {TenantView} from '../../tenants/directory.ts';
import {
	DataFileOnWire,
	DataFileQuery,
	DataFilesQuery,
	dataFileToWire,
	PutDataFileQuery,
} from './data-files.schema.ts';
import {assertWritable, type DataFilePlace, type DataFiles, isOfJobs, putUpload} from './data-files.ts';
import type {FileKind} from './file-kinds.ts';

export interface DataFileServices {
	readonly dataFiles: DataFiles;
	readonly directory: TenantView;
	readonly kinds: readonly FileKind[];
	readonly maxFileBytes: number;
}

type Asked = Pick<RouteRequest<unknown, {readonly uri: string}>, 'principal' | 'query'>;

/** Files by their URI (specification, "Standard segment builders and dashboards"; field guide, "Data files"). */
export function dataFileRoutes(services: DataFileServices): Route[] {
	const {dataFiles, directory, maxFileBytes} = services;
	const placeOf = ({principal, query}: Asked, action: Action): DataFilePlace => {
		const place = dataFiles.locate(query.uri);
		assertTheirs(principal, action, place.organisationId, directory, 'data_file_not_found');
		// What people imported is nothing a stranger's plugin is configured by.
		if (principal.kind === 'worker' && isOfJobs(place)) throw notFound('data_file_not_found');
		return place;
	};
	return [
		route({
			method: 'GET',
			path: '/v1/data_file/data',
			summary: 'The bytes of a file, as they are',
			action: 'data_files:read',
			query: DataFileQuery,
			answer: 'bytes',
			errors: ['data_file_not_found', 'store_unavailable'],
			async handle(request) {
				const {file, content} = await dataFiles.open(placeOf(request, 'data_files:read'));
				return new RawAnswer(content, undefined, {etag: file.sha256, length: file.bytes});
			},
		}),
		route({
			method: 'PUT',
			path: '/v1/data_file/data',
			summary: 'Store a file in place of what its URI names; a dashboard is looked into first',
			action: 'data_files:write',
			audit: 'data_file_stored',
			query: PutDataFileQuery,
			body: 'stream',
			maxBodyBytes: maxFileBytes + FORM_BYTES,
			answer: DataFileOnWire,
			errors: ['data_file_not_found', 'data_file_reserved', 'datamart_not_found', 'store_unavailable'],
			async handle(request) {
				const place = assertWritable(placeOf(request, 'data_files:write'));
				const kind = services.kinds.find(each => each.claims(place));
				const upload = await uploadOf(request.headers, request.stream);
				const file = await putUpload(dataFiles, place, kind, {
					content: upload.content,
					maxBytes: maxFileBytes,
					name: request.query.name ?? upload.name,
					contentType: upload.contentType,
				});
				return told(request, file.organisationId, dataFileToWire(file));
			},
		}),
		route({
			method: 'DELETE',
			path: '/v1/data_file/data',
			summary: 'Remove a file',
			action: 'data_files:write',
			answer: Nothing,
			audit: 'data_file_removed',
			query: DataFileQuery,
			errors: ['data_file_not_found', 'data_file_reserved'],
			async handle(request) {
				const place = assertWritable(placeOf(request, 'data_files:write'));
				await dataFiles.remove(place);
				return told(request, place.organisationId, {uri: dataFiles.uriOf(place)});
			},
		}),
		route({
			method: 'GET',
			path: '/v1/data_files',
			summary: 'Files of an organisation, by path',
			action: 'data_files:list',
			query: DataFilesQuery,
			answer: {page: DataFileOnWire},
			errors: ['organisation_not_found'],
			async handle({principal, query}) {
				const {organisation_id: organisationId, path} = query;
				assertTheirs(principal, 'data_files:list', organisationId, directory, 'organisation_not_found');
				const paging = toPaging(query);
				const page = await dataFiles.list(organisationId, path, paging);
				return okPage({...page, items: page.items.map(dataFileToWire)}, paging);
			},
		}),
	];
}

function told<Data extends {readonly uri: string}>(
	{trail}: Pick<RouteRequest<unknown, unknown>, 'trail'>,
	organisationId: number,
	data: Data,
) {
	trail.organisationId = organisationId;
	trail.resourceId = data.uri;
	return ok(data);
}
