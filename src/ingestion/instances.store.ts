import {randomUUID} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {writeFileAtomically} from '../lib/files.ts';
import type {Database} from '../postgres/database.ts';

/** The number of this data directory among all that share one database; the same after every restart. */
export async function instanceNumber(database: Database, journalDirectory: string): Promise<number> {
	const file = path.join(journalDirectory, 'instance');
	const token = await readFile(file, 'utf8').catch(async error => {
		if (error.code !== 'ENOENT') throw error;
		const fresh = randomUUID();
		await writeFileAtomically(file, fresh);
		return fresh;
	});
	const [row] = await database.run(sql =>
		sql('instances')
			.insert({token, created_ms: Date.now()})
			.onConflict('token')
			.merge(['token'])
			.returning('number'),
	);
	if (row.number >= 2 ** 16) throw new Error('more than 65,535 data directories have used this database');
	return row.number;
}
