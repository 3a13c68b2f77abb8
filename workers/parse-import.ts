import {type ImportTask, type ReadPortion, readImport} from '../src/bulk/document-imports/import-lines.ts';
import {Secrets} from '../src/lib/secrets.ts';
import {jobData} from '../src/lib/thread.ts';

const secrets = new Secrets(jobData<{secretKey: string}>().secretKey);

/** One portion of a file: parsing and checking a hundred megabytes must not hold up those who wait for a 200. */
export default (task: ImportTask): Promise<ReadPortion> => readImport(task, secrets);
