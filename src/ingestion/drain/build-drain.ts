import type {Secrets} from '../../lib/secrets.ts';
import type {Database} from '../../postgres/database.ts';
import {oneAtATime} from '../../postgres/one-at-a-time.ts';
import {allDatamarts} from '../../tenants/datamarts/datamarts.store.ts';
import type {Warehouse} from '../../warehouse/warehouse.ts';
import {SharedKeysStore} from '../accepted-keys/shared-keys.store.ts';
import {DeadLettersStore} from '../dead-letters/dead-letters.store.ts';
import {createUserAgentParser} from '../facts/user-agent.ts';
import {identifierDeletionStore} from '../identifier-deletion/identifier-deletion.store.ts';
import {strippedRecord} from '../identifier-deletion/identifier-deletion.ts';
import {touchedHoursStore} from '../touched-hours/touched-hours.store.ts';
import {UserPointsStore} from '../user-points/user-points.store.ts';
import {UserPoints} from '../user-points/user-points.ts';
import {BatchWriter} from './batch-writer.ts';
import {type Checkpoint, CheckpointFile} from './checkpoint.ts';
import {countOlder} from './count-older.ts';
import {Drain, type DrainReport} from './drain.ts';
import {MergeFeed} from './merge-feed.ts';
import {rememberedPayers} from './payers.ts';
import {remembered} from './remembered.ts';
import {UsageWriter} from './usage-writer.ts';
import {ValueWriter} from './value-writer.ts';

/** Of PostgreSQL's advisory locks. */
const OLDER_FACTS_LOCK = 7_210_004;

export interface DrainStores {
	readonly database: Database;
	readonly warehouse: Warehouse;
	readonly secrets: Secrets;
}

export interface DrainPlace {
	readonly journalDirectory: string;
	readonly checkpoint: Checkpoint;
	readonly instance: number;
	/** Whether other instances may use the same stores. */
	readonly shared: boolean;
}

/** A drain over these stores; the same in the service's thread of its own and in tests. */
export function buildDrain(
	{database, warehouse, secrets}: DrainStores,
	place: DrainPlace,
	report: DrainReport,
): Drain {
	const userPoints = new UserPointsStore(database, secrets);
	const deadLetters = new DeadLettersStore(database, secrets);
	const deleted = {userPoints, store: identifierDeletionStore(database)};
	const touched = touchedHoursStore(database, place.instance);
	const mergeFeed = new MergeFeed(
		sequence => userPoints.mergesAfter(sequence),
		warehouse,
		place,
		touched.beginMerges,
	);
	const zonesOf = remembered(
		() => database.run(allDatamarts),
		({timeZone}) => timeZone,
		'UTC',
	);
	return new Drain({
		journalDirectory: place.journalDirectory,
		checkpointFile: new CheckpointFile(place.journalDirectory),
		checkpoint: place.checkpoint,
		writer: new BatchWriter({
			warehouse,
			mergeFeed,
			touched,
			values: new ValueWriter({
				warehouse,
				zonesOf,
				countOlder: () =>
					place.shared
						? oneAtATime(database, OLDER_FACTS_LOCK, () => countOlder(warehouse, zonesOf))
						: countOlder(warehouse, zonesOf),
				onCounted: batch => report.counted(batch),
			}),
			sharedKeys: place.shared ? new SharedKeysStore(database) : undefined,
			letters: {
				async keep(refused, instance) {
					// One that was accepted before a deletion and refused after it must not keep the text.
					const stripped = await Promise.all(
						refused.map(async each => ({...each, record: await strippedRecord(deleted, each.record)})),
					);
					report.kept(await deadLetters.keep(stripped, instance));
				},
				arrivalsKept: (...range) => deadLetters.arrivalsKept(...range),
				lateReplays: (...replays) => deadLetters.lateReplays(...replays),
			},
		}),
		usage: new UsageWriter(
			warehouse,
			rememberedPayers(() => database.run(allDatamarts)),
		),
		context: {
			instance: place.instance,
			userPoints: new UserPoints(userPoints),
			parseUserAgent: createUserAgentParser(),
		},
		report,
	});
}
