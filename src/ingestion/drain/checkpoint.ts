import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {writeFileAtomically} from '../../lib/files.ts';
import type {JournalPosition} from '../journal/segments.ts';

/** Borders of a batch, on disk before its first insert: a retry writes the same rows under the same token. */
export interface BatchBorders {
	readonly from: JournalPosition;
	readonly to: JournalPosition;
}

export interface Checkpoint {
	/** Everything before this is in every store. */
	readonly confirmed: JournalPosition;
	/** Arrivals below this are in every store; the journal gives out none of them again. */
	readonly nextArrival: number;
	/** A batch that was begun and may be in the stores, wholly, partly or not at all. */
	readonly inDoubt?: BatchBorders;
}

const START: Checkpoint = {confirmed: {segment: 1, offset: 0}, nextArrival: 1};

/** How far the drain has come, beside the journal it drains. */
export class CheckpointFile {
	readonly #file: string;

	constructor(journalDirectory: string) {
		this.#file = path.join(journalDirectory, 'checkpoint.json');
	}

	async read(): Promise<Checkpoint> {
		try {
			return JSON.parse(await readFile(this.#file, 'utf8'));
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'ENOENT') return START;
			throw error;
		}
	}

	async write(checkpoint: Checkpoint): Promise<void> {
		await writeFileAtomically(this.#file, JSON.stringify(checkpoint));
	}
}
