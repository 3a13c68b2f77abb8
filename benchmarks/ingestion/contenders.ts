import {freePort} from '../../test/support/process.ts';
import {type Program, type ServiceProgram, startProgram, startService} from '../support/service.ts';
import {type Loader, startLoader} from './load.ts';

/** The service, the bare server that is its ceiling, and the load for both: a process each. */
export interface Contenders {
	readonly service: ServiceProgram;
	readonly bare: Program;
	readonly loader: Loader;
}

export async function withContenders<Result>(
	use: (contenders: Contenders) => Promise<Result>,
): Promise<Result> {
	const loader = startLoader();
	const started: {stop(): Promise<void>}[] = [];
	try {
		const port = await freePort();
		const bare = await startProgram('benchmarks/ingestion/bare-server.ts', [String(port)], {
			port,
			readyPath: '/',
		});
		started.push(bare);
		const service = await startService();
		started.push(service);
		return await use({service, bare, loader});
	} finally {
		loader.stop();
		await Promise.all(started.map(program => program.stop()));
	}
}
