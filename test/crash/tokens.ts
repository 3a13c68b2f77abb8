import {readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';

/** Makes a ClickHouse that is not running forget which blocks it has: its log of them is never synced. */
export function dropTokens(directory: string): void {
	for (const entry of readdirSync(directory, {recursive: true, withFileTypes: true})) {
		if (entry.isFile() && entry.name.startsWith('deduplication_log_'))
			rmSync(join(entry.parentPath, entry.name));
	}
}
