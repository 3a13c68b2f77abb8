import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {IdField} from '../../tenants/fields.schema.ts';
import type {Asset} from './assets.ts';

export const CreateAssetQuery = z.looseObject({
	organisation_id: IdField,
	/** Where the body is the file itself; a form says it there. */
	name: z.string().trim().min(1).max(255).optional(),
});

export const AssetsQuery = z.looseObject({
	...PagingQuery.shape,
	organisation_id: IdField,
	keywords: z.string().optional(),
});

export const AssetOnWire = z.object({
	id: z.string(),
	organisation_id: z.string(),
	original_name: z.string(),
	mime_type: z.string(),
	path: z.string(),
	size: z.number(),
	creation_ts: z.number(),
});

export function assetToWire(asset: Asset): z.output<typeof AssetOnWire> {
	return {
		id: String(asset.id),
		organisation_id: String(asset.organisationId),
		original_name: asset.originalName,
		mime_type: asset.mimeType,
		path: `/v1/assets/${asset.id}/data`,
		size: asset.bytes,
		creation_ts: asset.creationTs,
	};
}

/** `type/subtype` without parameters; a name or a type that says nothing else is what it is taken for. */
export function describeUpload(name: string | undefined, contentType: string | undefined) {
	const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
	const isForm = type === 'multipart/form-data';
	const isType = /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(type) && !isForm;
	return {
		originalName: (name?.trim() || 'file').slice(0, 255),
		mimeType: isType ? type : 'application/octet-stream',
	};
}
