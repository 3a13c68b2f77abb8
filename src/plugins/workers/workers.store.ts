import type {Knex} from 'knex';
import type {Database, Tx} from '../../postgres/database.ts';

/** A plugin worker as it is kept; the token is sealed. Instants are epoch milliseconds. */
export interface StoredWorker {
	readonly pluginVersionId: number;
	readonly url: string;
	readonly workerId: string;
	readonly tokenSealed: Buffer;
	readonly maxQps: number | null;
	readonly creationTs: number;
	/** As some instance last found it, and when that last changed. */
	readonly reachable: boolean;
	readonly reachableTs: number | null;
}

/** Credentials ready to be stored. */
export interface SealedCredentials {
	readonly workerId: string;
	/** SHA-256 of the token, hex. */
	readonly digest: string;
	readonly tokenSealed: Buffer;
}

export interface WorkerStore {
	/**
	 * At this address from now on, with the given credentials unless it is there already, whose credentials stay.
	 * `formerWorkerId` is whom the new one replaced.
	 */
	put(
		pluginVersionId: number,
		url: string,
		credentials: SealedCredentials,
	): Promise<{worker: StoredWorker; formerWorkerId: string | undefined; isNew: boolean}>;
	/** Other credentials for the worker of this id where it is; undefined where there is no such worker any more. */
	renew(pluginVersionId: number, credentials: SealedCredentials): Promise<StoredWorker | undefined>;
	find(pluginVersionId: number): Promise<StoredWorker | undefined>;
	/** The one that was there. */
	remove(pluginVersionId: number): Promise<StoredWorker | undefined>;
	all(): Promise<readonly StoredWorker[]>;
	/** Of this very worker: a later one is not meant. */
	noteReachable(workerId: string, reachable: boolean): Promise<void>;
}

interface Row {
	plugin_version_id: number;
	url: string;
	worker_id: string;
	token_sealed: Buffer;
	max_qps: number | null;
	creation_ts: number;
	reachable: boolean;
	reachable_ts: number | null;
}

function fromRow(row: Row): StoredWorker {
	return {
		pluginVersionId: row.plugin_version_id,
		url: row.url,
		workerId: row.worker_id,
		tokenSealed: row.token_sealed,
		maxQps: row.max_qps,
		creationTs: row.creation_ts,
		reachable: row.reachable,
		reachableTs: row.reachable_ts,
	};
}

function toRow({workerId, digest, tokenSealed}: SealedCredentials): object {
	return {worker_id: workerId, token_sha256: digest, token_sealed: tokenSealed, reachable: false};
}

export function workerStore(database: Database): WorkerStore {
	const select = (tx: Knex) =>
		tx('plugin_workers as worker')
			.join('plugin_versions as version', 'version.id', 'worker.plugin_version_id')
			.select('worker.*', 'version.max_qps');
	const find = async (tx: Knex, pluginVersionId: number): Promise<StoredWorker | undefined> => {
		const row: Row | undefined = await select(tx).where('worker.plugin_version_id', pluginVersionId).first();
		return row && fromRow(row);
	};
	/** Two who write at once take turns, also where there is no row yet to wait for. */
	const inTurn = <T>(pluginVersionId: number, work: (tx: Tx) => Promise<T>): Promise<T> =>
		database.transaction(async tx => {
			await tx('plugin_versions').select('id').where('id', pluginVersionId).forUpdate();
			return work(tx);
		});
	return {
		put: (pluginVersionId, url, credentials) =>
			inTurn(pluginVersionId, async tx => {
				const former = await find(tx, pluginVersionId);
				if (former?.url === url) return {worker: former, formerWorkerId: undefined, isNew: false};
				await tx('plugin_workers').where('plugin_version_id', pluginVersionId).delete();
				await tx('plugin_workers').insert({
					...toRow(credentials),
					plugin_version_id: pluginVersionId,
					url,
					creation_ts: Date.now(),
				});
				const worker = (await find(tx, pluginVersionId))!;
				return {worker, formerWorkerId: former?.workerId, isNew: true};
			}),
		renew: (pluginVersionId, credentials) =>
			inTurn(pluginVersionId, async tx => {
				const renewed = await tx('plugin_workers')
					.where({plugin_version_id: pluginVersionId, worker_id: credentials.workerId})
					.update(toRow(credentials));
				return renewed > 0 ? find(tx, pluginVersionId) : undefined;
			}),
		find: pluginVersionId => database.run(sql => find(sql, pluginVersionId)),
		remove: pluginVersionId =>
			inTurn(pluginVersionId, async tx => {
				const former = await find(tx, pluginVersionId);
				await tx('plugin_workers').where('plugin_version_id', pluginVersionId).delete();
				return former;
			}),
		all: () =>
			database.run(async sql => {
				const rows: Row[] = await select(sql).orderBy('worker.plugin_version_id');
				return rows.map(fromRow);
			}),
		async noteReachable(workerId, reachable) {
			await database.run(sql =>
				sql('plugin_workers')
					.where({worker_id: workerId, reachable: !reachable})
					.update({reachable, reachable_ts: Date.now()}),
			);
		},
	};
}
