/** Job: one activity through the analyzers of its channel. A thread works on many at once, since it mostly waits. */
import {type Analysed, type Analysis, analyse} from '../src/ingestion/activity-chain/analyse.ts';
import {jobData} from '../src/lib/thread.ts';
import {createWorkerClient} from '../src/plugins/worker-client/worker-client.ts';

export type {Analysed, Analysis} from '../src/ingestion/activity-chain/analyse.ts';

export interface ActivityChainData {
	readonly allowedNetworks: readonly string[];
	/** What all threads know of plugin workers together. */
	readonly states: SharedArrayBuffer;
}

const {callWorker} = createWorkerClient(jobData<ActivityChainData>());

export default function run(analysis: Analysis): Promise<Analysed> {
	return analyse(analysis, callWorker);
}
