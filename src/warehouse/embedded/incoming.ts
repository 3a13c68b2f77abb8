import {randomUUID} from 'node:crypto';
import {mkdirSync, rmSync} from 'node:fs';
import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

/**
 * Where rows in a binary format stand while the engine reads them: its bindings take text alone from memory. Not synced,
 * since a block counts only once the engine has written it; what a crash left is removed at the next start.
 */
export class Incoming {
	readonly #directory: string;

	constructor(dataDir: string) {
		this.#directory = join(dataDir, 'incoming');
		rmSync(this.#directory, {recursive: true, force: true});
		mkdirSync(this.#directory, {mode: 0o700});
	}

	/** The payload as a file for as long as `use` runs. */
	async with<Result>(payload: Buffer, use: (file: string) => Promise<Result>): Promise<Result> {
		const file = join(this.#directory, `${randomUUID()}.native`);
		try {
			await writeFile(file, payload, {mode: 0o600});
			return await use(file);
		} finally {
			await rm(file, {force: true});
		}
	}
}
