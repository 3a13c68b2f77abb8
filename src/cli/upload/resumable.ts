import {createHash, randomUUID} from 'node:crypto';
import {mkdir, readFile, rm, stat} from 'node:fs/promises';
import path from 'node:path';
import {writeFileAtomically} from '../../lib/files.ts';

/** Where a run stands: its keys make a batch that was sent twice count once, as long as the service remembers them. */
export interface Run {
	readonly runId: string;
	/** Up to this line everything was answered for; 0 at the start. */
	readonly answeredLine: number;
	readonly startedTs: number;
}

/** The service keeps keys for 7 days; a run is not resumed in the last one of them. */
const RESUMABLE_MS = 6 * 24 * 3_600_000;
const SAVE_EVERY_MS = 500;

/** A run's place on disk, so that it goes on where it was interrupted. */
export class ResumableRun {
	readonly file: string;
	#run: Run;
	#savedAtMs = 0;
	#saving: Promise<void> = Promise.resolve();

	private constructor(file: string, run: Run) {
		this.file = file;
		this.#run = run;
	}

	/** The run of this very content (path, size, time of change) into this very place; a new one where there is none. */
	static async open(directory: string, source: string, target: string): Promise<ResumableRun> {
		const {size, mtimeMs} = await stat(source);
		const name = createHash('sha256')
			.update(JSON.stringify([path.resolve(source), size, mtimeMs, target]))
			.digest('hex')
			.slice(0, 32);
		const file = path.join(directory, 'uploads', `${name}.json`);
		await mkdir(path.dirname(file), {recursive: true, mode: 0o700});
		return new ResumableRun(file, await readRun(file));
	}

	get run(): Run {
		return this.#run;
	}

	/** Written now and then: what is lost of it is sent again under the same keys. */
	note(answeredLine: number): void {
		this.#run = {...this.#run, answeredLine};
		if (performance.now() - this.#savedAtMs < SAVE_EVERY_MS) return;
		this.#savedAtMs = performance.now();
		this.#saving = this.#saving.then(() => this.#save());
	}

	/** Interrupted: the next run of the same file begins here. */
	async keep(): Promise<void> {
		await this.#saving;
		await this.#save();
	}

	/** All was answered for. */
	async forget(): Promise<void> {
		await this.#saving;
		await rm(this.file, {force: true});
	}

	#save(): Promise<void> {
		return writeFileAtomically(this.file, `${JSON.stringify(this.#run)}\n`);
	}
}

async function readRun(file: string): Promise<Run> {
	const fresh = {runId: randomUUID(), answeredLine: 0, startedTs: Date.now()};
	let text: string;
	try {
		text = await readFile(file, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fresh;
		throw error;
	}
	const run = JSON.parse(text) as Run;
	if (run.startedTs + RESUMABLE_MS > Date.now()) return run;
	throw new Error(
		`this file was sent up to line ${run.answeredLine} too long ago to be resumed safely: ` +
			`remove ${file} to send all of it again, or send only the lines after that one`,
	);
}
