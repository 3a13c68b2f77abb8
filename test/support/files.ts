import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ExecutionContext} from 'ava';
import {pino} from 'pino';
import {dashboardFiles} from '../../src/audience/dashboards/dashboards.ts';
import {type Files, filesServices, type S3Settings} from '../../src/files/files.services.ts';
import type {Database} from '../../src/postgres/database.ts';
import type {TenantView} from '../../src/tenants/directory.ts';

/** Files in a directory of their own, or in a bucket, as the service builds them. */
export async function testFiles(
	t: ExecutionContext<unknown>,
	database: Database,
	directory: TenantView,
	{maxFileBytes = 1024 * 1024, s3 = {}}: {maxFileBytes?: number; s3?: Partial<S3Settings>} = {},
): Promise<Files> {
	const directoryOfFiles = mkdtempSync(join(tmpdir(), 'millrace-files-'));
	const files = await filesServices({
		database,
		directory,
		log: pino({level: 'silent'}),
		brands: ['mics'],
		kinds: [dashboardFiles(directory)],
		maxFileBytes,
		directoryOfFiles,
		s3: {S3_PREFIX: '', S3_REGION: 'us-east-1', ...s3},
	});
	t.teardown(async () => {
		await files.close();
		rmSync(directoryOfFiles, {recursive: true});
	});
	return files;
}
