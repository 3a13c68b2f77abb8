import type {IdentifierDeletion} from '../../ingestion/identifier-deletion/identifier-deletion.ts';
import type {Secrets} from '../../lib/secrets.ts';
import {signReceipt} from '../deletion-receipts/deletion-receipts.ts';
import {receiptOf} from '../deletion-receipts/receipt-lines.ts';
import type {InputFiles} from '../job-executions/input-files.ts';
import type {JobExecutionStore} from '../job-executions/job-executions.store.ts';
import {type ImportKind, importKind} from './import-job.ts';
import type {KeptInputs} from './kept-inputs.ts';

export interface DeletionImportServices {
	readonly deletion: IdentifierDeletion;
	readonly jobs: JobExecutionStore;
	readonly files: InputFiles;
	readonly keptInputs: Pick<KeptInputs, 'clear'>;
	readonly secrets: Secrets;
}

interface State {
	readonly removed: number;
	readonly unknown: number;
}

/**
 * Deletes identifiers and gives a receipt: of each line what became of it, by a keyed hash of the identifier alone; in the
 * result the sums, signed together with when it was finished (docs/adr/0027).
 */
export function deletionImport({
	deletion,
	jobs,
	files,
	keptInputs,
	secrets,
}: DeletionImportServices): ImportKind<unknown> {
	return importKind<State>({
		reader: 'DELETION',
		removesInput: true,

		/** What was accepted before the execution has its identifiers: they are found, and removed. */
		async begin() {
			await deletion.whenStored();
			return {removed: 0, unknown: 0};
		},

		async apply({good, deletion: lines}, state, {datamart}, note) {
			const {buffer, byteOffset, byteLength} = lines!.keys;
			const keys = Buffer.from(buffer, byteOffset, byteLength);
			await deletion.remove(datamart.id, keys, async (transaction, {removed}) => {
				const counts = {
					removed: state.removed + removed.length,
					unknown: state.unknown + good - removed.length,
				};
				await note({state: counts, receipt: receiptOf(lines!, removed)}, transaction);
			});
		},

		async finish({removed, unknown}, scope) {
			const {job, datamart, signal} = scope;
			await keptInputs.clear(scope);
			await deletion.clearTraces(datamart.id, signal);
			const file = await files.write(job, 'receipt', jobs.parts(job.id, 'receipt'));
			const told = {
				found: removed,
				removed,
				unknown,
				finished_ts: Date.now(),
				receipt_file_uri: file?.uri ?? null,
				...(file && {receipt_file_sha256: file.sha256}),
			};
			return {receipt: signReceipt(secrets, job.id, told)};
		},
	});
}
