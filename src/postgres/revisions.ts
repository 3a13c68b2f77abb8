import type {Database} from './database.ts';

/** What instances keep in memory: see sql/postgres/migrations/004_revisions.sql. */
export type RevisionName = 'directory' | 'credentials' | 'analyzers';

type Handler = () => Promise<void>;

/**
 * Tells this instance what another one changed: one small read every `intervalMs` (500). While PostgreSQL is down
 * nothing moves, and what is in memory stays in use.
 */
export class RevisionWatcher {
	readonly #database: Database;
	readonly #intervalMs: number;
	readonly #handlers = new Map<string, Handler[]>();
	#seen = new Map<string, number>();
	#timer: NodeJS.Timeout | undefined;
	#polling: Promise<void> | undefined;
	#closed = false;

	private constructor(database: Database, intervalMs: number) {
		this.#database = database;
		this.#intervalMs = intervalMs;
	}

	/** Throws `store_unavailable`. Load what you keep after this, so that no change falls in between. */
	static async start(database: Database, {intervalMs = 500} = {}): Promise<RevisionWatcher> {
		const watcher = new RevisionWatcher(database, intervalMs);
		watcher.#seen = await watcher.#read();
		watcher.#plan();
		return watcher;
	}

	/** Called after the revision moved; a handler that fails is called again at the next turn. */
	on(name: RevisionName, handler: Handler): void {
		this.#handlers.set(name, [...(this.#handlers.get(name) ?? []), handler]);
	}

	/** One look now; never rejects. */
	poll(): Promise<void> {
		this.#polling ??= this.#look().finally(() => {
			this.#polling = undefined;
		});
		return this.#polling;
	}

	async close(): Promise<void> {
		this.#closed = true;
		clearTimeout(this.#timer);
		await this.#polling;
	}

	#plan(): void {
		if (this.#closed) return;
		this.#timer = setTimeout(() => {
			void this.poll().then(() => this.#plan());
		}, this.#intervalMs).unref();
	}

	async #look(): Promise<void> {
		try {
			for (const [name, revision] of await this.#read()) {
				if (this.#seen.get(name) === revision) continue;
				await Promise.all((this.#handlers.get(name) ?? []).map(handler => handler()));
				this.#seen.set(name, revision);
			}
		} catch {
			// PostgreSQL is away, or a handler could not load: the next turn tries again.
		}
	}

	async #read(): Promise<Map<string, number>> {
		const rows: {name: string; revision: number}[] = await this.#database.run(sql =>
			sql('revisions').select('name', 'revision'),
		);
		return new Map(rows.map(row => [row.name, row.revision]));
	}
}
