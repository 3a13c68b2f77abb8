import type {Readable} from 'node:stream';
import {invalidField, notFound} from '../../errors.ts';
import {type Action, assertTheirs} from '../../identity/policy.ts';
import type {Principal} from '../../identity/principal.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {BlobKeeper} from '../blobs/blob-keeper.ts';
import type {Content} from '../blobs/blobs.ts';
import type {AssetStore} from './assets.store.ts';

/** A file that plugins show: an icon, a picture. Its content never changes. */
export interface Asset {
	readonly id: number;
	readonly organisationId: number;
	readonly originalName: string;
	readonly mimeType: string;
	readonly bytes: number;
	/** Of the content, hexadecimal. */
	readonly sha256: string;
	readonly creationTs: number;
}

export interface AssetServices {
	readonly assets: AssetStore;
	readonly keeper: BlobKeeper;
	readonly directory: TenantView;
	/** In bytes. */
	readonly maxFileBytes: number;
}

/** Errors: `field_invalid` naming `/file` where it is empty, `body_too_large`, `store_unavailable`. */
export function createAsset(
	{assets, keeper, maxFileBytes}: AssetServices,
	asset: Pick<Asset, 'organisationId' | 'originalName' | 'mimeType'>,
	content: Content,
): Promise<Asset> {
	return keeper.write(content, maxFileBytes, async blob => {
		if (blob.bytes === 0) throw invalidField('/file', 'must not be empty');
		return {kept: await assets.create(asset, blob), dropped: []};
	});
}

/** Errors: `asset_not_found`, `role_insufficient`. */
export async function getAsset(
	{assets, directory}: AssetServices,
	principal: Principal,
	action: Action,
	id: number | undefined,
): Promise<Asset> {
	const asset = id === undefined ? undefined : await assets.find(id);
	if (!asset) throw notFound('asset_not_found');
	assertTheirs(principal, action, asset.organisationId, directory, 'asset_not_found');
	return asset;
}

/** Errors: `asset_not_found` where it was removed meanwhile. */
export async function openAsset({assets, keeper}: AssetServices, asset: Asset): Promise<Readable> {
	const key = await assets.keyOf(asset.id);
	const content = key === undefined ? undefined : await keeper.read(key);
	if (!content) throw notFound('asset_not_found');
	return content;
}

/** Its bytes too, unless their store is away: then they go as soon as it is back. */
export async function removeAsset({assets, keeper}: AssetServices, asset: Asset): Promise<void> {
	const key = await assets.remove(asset.id);
	if (key === undefined) throw notFound('asset_not_found');
	await keeper.clear([key]);
}

/** Those of the ids that are assets of another organisation: what names them is refused by whoever asks. */
export type ForeignAssets = (organisationId: number, ids: readonly number[]) => Promise<ReadonlySet<number>>;
