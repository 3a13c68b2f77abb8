import type {Database} from '../../postgres/database.ts';

/** What a plugin worker's token is checked by, and whose plugin it serves. */
export interface StoredWorkerCredentials {
	readonly workerId: string;
	/** SHA-256 of the token, hex. */
	readonly digest: string;
	readonly pluginId: number;
	readonly pluginVersionId: number;
	readonly organisationId: number;
	/** Those that have an instance of the plugin. */
	readonly servedOrganisations: readonly number[];
}

export interface WorkerCredentialStore {
	find(workerId: string): Promise<StoredWorkerCredentials | undefined>;
}

interface Row {
	worker_id: string;
	token_sha256: string;
	plugin_id: number;
	plugin_version_id: number;
	organisation_id: number;
	served: number[];
}

/** They are written with the worker's address (src/plugins/workers/workers.store.ts). */
export function workerCredentialStore(database: Database): WorkerCredentialStore {
	return {
		async find(workerId) {
			const row: Row | undefined = await database.run(sql =>
				sql('plugin_workers as worker')
					.join('plugin_versions as version', 'version.id', 'worker.plugin_version_id')
					.join('plugins as plugin', 'plugin.id', 'version.plugin_id')
					.select(
						...['worker.worker_id', 'worker.token_sha256', 'worker.plugin_version_id'],
						...['version.plugin_id', 'plugin.organisation_id'],
						sql.raw(`ARRAY(SELECT DISTINCT instance.organisation_id FROM plugin_instances instance
							WHERE instance.plugin_id = plugin.id) AS served`),
					)
					.where('worker.worker_id', workerId)
					.first(),
			);
			return (
				row && {
					workerId: row.worker_id,
					digest: row.token_sha256,
					pluginId: row.plugin_id,
					pluginVersionId: row.plugin_version_id,
					organisationId: row.organisation_id,
					servedOrganisations: row.served.map(Number),
				}
			);
		},
	};
}
