import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {syncDirectory} from '../../lib/files.ts';

/**
 * Makes the names of all tables and parts survive a power cut. An engine that was killed after it had given a part its
 * name and before that name was on disk leaves rows that the next one shows, and that a power cut would still take: the
 * drain would find them, and the journal let go of them.
 */
export async function syncNames(dataDir: string): Promise<void> {
	// store/<prefix>/<table>/<part>: what is in a part was synced before it got its name.
	const folders = [
		dataDir,
		...(await foldersIn(dataDir, 2)),
		...(await foldersIn(join(dataDir, 'store'), 2)),
	];
	for (const folder of new Set(folders)) {
		await syncDirectory(folder).catch(error => {
			// The engine removes dropped tables behind our back.
			if (error.code !== 'ENOENT') throw error;
		});
	}
}

/** Folders below a folder, down to so many levels; links are not followed. */
async function foldersIn(folder: string, levels: number): Promise<string[]> {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	const found: string[] = [];
	for (const entry of entries) {
		if (!entry.isDirectory()) continue;
		const path = join(folder, entry.name);
		found.push(path);
		if (levels > 1) found.push(...(await foldersIn(path, levels - 1)));
	}
	return found;
}
