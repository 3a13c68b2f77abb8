import type {Secrets} from '../../lib/secrets.ts';
import type {Database} from '../../postgres/database.ts';
import type {Refused} from '../drain/batch.ts';

const PURPOSE = 'dead letter';

/** What could not be processed after acceptance, with its reason, the activity sealed beside it. */
export class DeadLettersStore {
	readonly #database: Database;
	readonly #secrets: Secrets;

	constructor(database: Database, secrets: Secrets) {
		this.#database = database;
		this.#secrets = secrets;
	}

	/** Once for each record and reason, however often a batch is tried. */
	async keep(refused: readonly Refused[], instance: number): Promise<void> {
		const rows = refused.map(({record, reason, message}) => ({
			datamart_id: record.datamartId,
			instance,
			arrival: record.arrival,
			reason,
			message: message.slice(0, 500),
			received_ms: record.receivedMs,
			created_ms: Date.now(),
			sealed: this.#secrets.seal(PURPOSE, record.body),
		}));
		await this.#database.run(sql =>
			sql('dead_letters').insert(rows).onConflict(['instance', 'arrival', 'reason']).ignore(),
		);
	}
}
