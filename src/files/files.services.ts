import type {Logger} from 'pino';
import type {Route} from '../http/route.ts';
import type {Database} from '../postgres/database.ts';
import type {TenantView} from '../tenants/directory.ts';
import {assetRoutes} from './assets/assets.route.ts';
import {assetStore} from './assets/assets.store.ts';
import type {ForeignAssets} from './assets/assets.ts';
import {BlobKeeper} from './blobs/blob-keeper.ts';
import {blobLedger} from './blobs/blobs.store.ts';
import type {Blobs} from './blobs/blobs.ts';
import {LocalBlobs} from './blobs/local-blobs.ts';
import type {S3Options} from './blobs/s3-blobs.ts';
import {dataFileRoutes} from './data-files/data-files.route.ts';
import {dataFileStore} from './data-files/data-files.store.ts';
import {DataFiles} from './data-files/data-files.ts';
import type {FileKind} from './data-files/file-kinds.ts';
import {logoRoutes} from './logos/logos.route.ts';
import {logoFiles} from './logos/logos.ts';

export interface Files {
	readonly routes: readonly Route[];
	/** For whoever keeps files of an organisation: jobs, plugins. */
	readonly dataFiles: DataFiles;
	readonly foreignAssets: ForeignAssets;
	close(): Promise<void>;
}

/** The variables of the configuration that speak of the bucket. */
export interface S3Settings {
	readonly S3_BUCKET?: string | undefined;
	readonly S3_PREFIX: string;
	readonly S3_ENDPOINT?: string | undefined;
	readonly S3_REGION: string;
	readonly S3_ACCESS_KEY_ID?: string | undefined;
	readonly S3_SECRET_ACCESS_KEY?: string | undefined;
}

/** Undefined where no bucket is configured: contents are kept on this machine. */
function s3Options(settings: S3Settings): S3Options | undefined {
	const {S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey} = settings;
	if (bucket === undefined) return undefined;
	return {
		bucket,
		prefix: settings.S3_PREFIX,
		endpoint: settings.S3_ENDPOINT,
		region: settings.S3_REGION,
		credentials: accessKeyId && secretAccessKey ? {accessKeyId, secretAccessKey} : undefined,
	};
}

/** Its client is read only where it is used: it costs a start some 100 ms. */
async function openBucket(options: S3Options): Promise<Blobs> {
	const {S3Blobs} = await import('./blobs/s3-blobs.ts');
	return new S3Blobs(options);
}

export async function filesServices({
	database,
	directory,
	log,
	brands,
	kinds,
	maxFileBytes,
	directoryOfFiles,
	s3,
}: {
	readonly database: Database;
	readonly directory: TenantView;
	readonly log: Logger;
	/** Schemes that mean the same as `svc`. */
	readonly brands: readonly string[];
	/** What is looked into before it is stored. */
	readonly kinds: readonly FileKind[];
	readonly maxFileBytes: number;
	/** Contents are kept here, unless there is a bucket. */
	readonly directoryOfFiles: string;
	readonly s3: S3Settings;
}): Promise<Files> {
	const bucket = s3Options(s3);
	const blobs = bucket ? await openBucket(bucket) : await LocalBlobs.open(directoryOfFiles);
	const keeper = new BlobKeeper({blobs, ledger: blobLedger(database), log});
	void keeper.sweep();
	const dataFiles = new DataFiles({store: dataFileStore(database), keeper, brands});
	const assets = assetStore(database);
	return {
		routes: [
			...dataFileRoutes({dataFiles, directory, kinds: [...kinds, logoFiles], maxFileBytes}),
			...logoRoutes({dataFiles}),
			...assetRoutes({assets, keeper, directory, maxFileBytes}),
		],
		dataFiles,
		foreignAssets: (organisationId, ids) => assets.foreign(organisationId, ids),
		close: () => keeper.close(),
	};
}
