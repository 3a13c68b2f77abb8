import {
	identifiersInFile,
	type SearchedPortion,
	type SearchTask,
} from '../src/bulk/document-imports/identifiers-in-file.ts';
import {type ImportTask, type ReadPortion, readImport} from '../src/bulk/document-imports/import-lines.ts';
import {Secrets} from '../src/lib/secrets.ts';
import {jobData} from '../src/lib/thread.ts';

const secrets = new Secrets(jobData<{secretKey: string}>().secretKey);

/**
 * One portion of a file, read for an import or looked through for identifiers: parsing, checking and hashing a hundred
 * megabytes must not hold up those who wait for a 200.
 */
export default (task: ImportTask | SearchTask): Promise<ReadPortion | SearchedPortion> =>
	task.reader === 'SEARCH' ? identifiersInFile(task, secrets) : readImport(task, secrets);
