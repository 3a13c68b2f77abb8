import {setTimeout as delay} from 'node:timers/promises';
import {lineKey} from '../../ingestion/user-activities/activity-keys.ts';
import {type Candidate, type KeepContext, keepOnce} from '../../ingestion/user-activities/keep-once.ts';
import type {Secrets} from '../../lib/secrets.ts';
import type {TenantView} from '../../tenants/directory.ts';
import {type ImportKind, type ImportScope, importKind} from './import-job.ts';
import type {GoodLine} from './import-lines.ts';

export interface JournalImportServices extends KeepContext {
	readonly secrets: Secrets;
	readonly directory: TenantView;
	/** Accepted bytes that are not yet in the stores. */
	readonly backlogBytes: () => number;
	readonly whenQueryable: (arrival: number) => Promise<void>;
}

/** Others' activities wait behind what is in the journal: an import leaves them room. */
const MAX_BACKLOG_BYTES = 4 * 1024 * 1024;
const LOOK_MS = 10;

/**
 * Lines that take the way of activities, past analyzers (specification, "Activity analyzer": never for bulk uploads).
 * Each line has a key of its own, so that one that was in the journal before a crash is not there twice after it.
 */
export function journalImport(
	services: JournalImportServices,
	reader: 'ACTIVITY' | 'ASSOCIATION',
): ImportKind<unknown> {
	const {directory, secrets, backlogBytes, whenQueryable} = services;

	function toCandidate(line: GoodLine, {datamart, job}: ImportScope, receivedMs: number): Candidate {
		const keys = lineKey(secrets, datamart.id, {executionId: job.id, line: line.line}, line.uniqueKey);
		return {
			keys,
			record: {
				datamartId: datamart.id,
				defaultCompartmentId: directory.defaultCompartment(datamart.id)?.id ?? 0,
				receivedMs,
				rows: line.rows!,
				userAgent: '',
				body: Buffer.from(line.body!.buffer, line.body!.byteOffset, line.body!.byteLength),
				keys: keys.all,
				...(reader === 'ASSOCIATION' && {association: true as const}),
			},
		};
	}

	return importKind<null>({
		reader,
		begin: async () => null,
		async apply({lines}, state, scope, note) {
			while (backlogBytes() > MAX_BACKLOG_BYTES && !scope.signal.aborted) await delay(LOOK_MS);
			const receivedMs = Date.now();
			const candidates = lines.map(line => toCandidate(line, scope, receivedMs));
			if (candidates.length > 0) await keepOnce(services, candidates);
			await note({state});
		},
		/** An import that succeeded can be asked for. */
		async finish() {
			const {journal} = services;
			if (journal.lastArrival > 0) await whenQueryable(journal.lastArrival);
			return undefined;
		},
	});
}
