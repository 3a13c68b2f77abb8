import type {InputFiles} from '../../bulk/job-executions/input-files.ts';
import type {JobKind} from '../../bulk/job-executions/job-runner.ts';
import type {Route} from '../../http/route.ts';
import {JobPool} from '../../jobs/pool.ts';
import type {Database} from '../../postgres/database.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import {audienceFeatureFolderRoutes} from '../audience-feature-folders/audience-feature-folders.route.ts';
import {folderStore} from '../audience-feature-folders/audience-feature-folders.store.ts';
import {audienceFeatureRoutes} from '../audience-features/audience-features.route.ts';
import {audienceFeatureStore} from '../audience-features/audience-features.store.ts';
import {datamartSchemaRoutes} from '../datamart-schemas/datamart-schemas.route.ts';
import {datamartSchemaStore} from '../datamart-schemas/datamart-schemas.store.ts';
import type {CsvHeader, CsvValues, HeaderTask, ValuesTask} from './csv-lines.ts';
import {finalValueRoutes, type ListedJobs} from './final-values.route.ts';
import {finalValueVersionStore} from './final-values.store.ts';
import {FinalValuesJob} from './final-values-job.ts';

export interface FinalValues {
	readonly routes: readonly Route[];
	readonly job: JobKind;
	close(): Promise<void>;
}

/** Final values, built: the schema they are checked against, their import as a kind of job, their search, and that by features. */
export function finalValuesServices(services: {
	readonly database: Database;
	readonly warehouse: Warehouse;
	readonly directory: TenantView;
	readonly bulk: {readonly jobs: ListedJobs; readonly files: InputFiles; wake(): void};
}): FinalValues {
	const {database, warehouse, directory, bulk} = services;
	const pool = new JobPool<HeaderTask | ValuesTask, CsvHeader | CsvValues>({
		job: 'parse-final-values',
		threads: 1,
	});
	const schemas = datamartSchemaStore(database);
	const versions = finalValueVersionStore(database);
	const {jobs, files} = bulk;
	const wake = () => bulk.wake();
	const context = {jobs, files, pool, schemas, versions, warehouse, directory, wake};
	const job = new FinalValuesJob(context);
	return {
		job,
		routes: [
			...finalValueRoutes({...context, leave: each => job.leave(each)}),
			...datamartSchemaRoutes(schemas),
			...audienceFeatureFolderRoutes(folderStore(database)),
			...audienceFeatureRoutes({features: audienceFeatureStore(database), warehouse, versions}),
		],
		close: () => pool.close(),
	};
}
