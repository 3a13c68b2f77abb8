import {ensureBuilt} from './scripts/build.js';

await ensureBuilt();

export default {
	files: ['test/**/*.test.ts'],
	// Tests are named by their sources; what runs is what was just compiled.
	typescript: {rewritePaths: {'test/': 'dist/test/'}, compile: false},
	// A process per test file: an embedded engine belongs to one process.
	workerThreads: false,
	// A service of a test lives for seconds: PostgreSQL (WebAssembly) is not worth optimising, which took a third of all CPU.
	nodeArguments: ['--liftoff-only'],
	// Each file may start a ClickHouse (~260 MB) and a PostgreSQL (~320 MB). One more than two cores: some wait for a lease or an outage.
	concurrency: 3,
	require: ['./test/support/leave.ts'],
	timeout: '2m',
};
