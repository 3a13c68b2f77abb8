import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {IdField} from '../../tenants/fields.schema.ts';
import {type DataFile, dataFileUri} from './data-files.ts';

const Uri = z.string('must be svc://data_file/tenants/<organisation id>/<path>');

/** Further words, such as `cache-bust`, mean nothing here. */
export const DataFileQuery = z.looseObject({uri: Uri});

export const PutDataFileQuery = z.looseObject({uri: Uri, name: z.string().max(255).optional()});

export const DataFilesQuery = z.looseObject({
	...PagingQuery.shape,
	organisation_id: IdField,
	/** Files whose path begins so. */
	path: z.string().default(''),
});

export const DataFileOnWire = z.object({
	uri: z.string(),
	organisation_id: z.string(),
	name: z.string().nullable(),
	content_type: z.string().nullable(),
	size: z.number(),
	sha256: z.string(),
	creation_ts: z.number(),
	last_modified: z.number(),
});

export function dataFileToWire(file: DataFile): z.output<typeof DataFileOnWire> {
	return {
		uri: dataFileUri(file),
		organisation_id: String(file.organisationId),
		name: file.name ?? file.path.split('/').at(-1) ?? null,
		content_type: file.contentType,
		size: file.bytes,
		sha256: file.sha256,
		creation_ts: file.creationTs,
		last_modified: file.lastModifiedTs,
	};
}
