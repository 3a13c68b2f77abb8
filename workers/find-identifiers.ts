import {
	identifiersInFile,
	type SearchedPortion,
	type SearchTask,
} from '../src/bulk/document-imports/identifiers-in-file.ts';
import {Secrets} from '../src/lib/secrets.ts';
import {jobData} from '../src/lib/thread.ts';

const secrets = new Secrets(jobData<{secretKey: string}>().secretKey);

/** One portion of a kept file, looked through for identifiers: parsed and hashed away from those who wait for a 200. */
export default (task: SearchTask): Promise<SearchedPortion> => identifiersInFile(task, secrets);
