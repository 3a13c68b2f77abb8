import type {Database, Tx} from '../../postgres/database.ts';

/** Which keys exist and which of them something refers to: see sql/postgres/migrations/050_files.sql. */
export interface BlobLedger {
	/** Before a byte is written, so that a crash leaves nothing unknown. */
	begin(key: string): Promise<void>;
	/** Gives up a write; false where a row refers to the key after all. */
	abandon(key: string): Promise<boolean>;
	/** Keys to clear, oldest first: dropped ones, and writes begun before `writingBeforeTs`, which are given up. */
	dropped(writingBeforeTs: number, limit: number): Promise<readonly string[]>;
	/** After the bytes are gone. */
	forget(key: string): Promise<void>;
}

const DROPPED = () => ({state: 'dropped', since_ts: Date.now()});

/** In the transaction that writes the row which names the key. */
export async function keepBlob(tx: Tx, key: string): Promise<void> {
	const kept = await tx('blobs').where({key, state: 'writing'}).update({state: 'kept', since_ts: Date.now()});
	// A write that took so long that it was cleared must not become a file without content.
	if (kept !== 1) throw new Error('a blob was cleared before it was kept');
}

/** In the transaction that no longer names the key. */
export async function dropBlob(tx: Tx, key: string): Promise<void> {
	await tx('blobs').where({key}).update(DROPPED());
}

export function blobLedger(database: Database): BlobLedger {
	return {
		begin: key =>
			database.run(async sql => {
				await sql('blobs').insert({key, state: 'writing', since_ts: Date.now()});
			}),
		abandon: key =>
			database.run(async sql => {
				await sql('blobs').where({key, state: 'writing'}).update(DROPPED());
				return (await sql('blobs').where({key, state: 'kept'}).first('key')) === undefined;
			}),
		dropped: (writingBeforeTs, limit) =>
			database.run(async sql => {
				await sql('blobs')
					.where({state: 'writing'})
					.where('since_ts', '<', writingBeforeTs)
					.update(DROPPED());
				const rows: {key: string}[] = await sql('blobs')
					.where({state: 'dropped'})
					.orderBy('since_ts')
					.limit(limit)
					.select('key');
				return rows.map(({key}) => key);
			}),
		forget: key =>
			database.run(async sql => {
				await sql('blobs').where({key, state: 'dropped'}).delete();
			}),
	};
}
