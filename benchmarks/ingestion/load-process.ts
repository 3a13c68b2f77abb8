// The load generator: one load at a time, told and answered over the channel to the process that started it.
import type {Load} from './load.ts';
import {runLoad} from './run-load.ts';

process.on('message', (load: Load) => {
	runLoad(load).then(
		result => process.send!(result),
		error => process.send!({error: String(error)}),
	);
});
process.once('disconnect', () => process.exit(0));
