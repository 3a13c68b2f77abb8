/**
 * What every thread of the pool (src/jobs/pool.ts) loads first. Node 20 does not hand a loader's hooks to threads: this
 * registers TypeScript and then loads the job that `workerData` names. Plain JavaScript, since nothing reads it before.
 */
import {workerData} from 'node:worker_threads';
import {register} from 'tsx/esm/api';

register();
const {default: job} = await import(workerData.entry);
export default job;
