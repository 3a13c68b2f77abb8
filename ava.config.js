export default {
	files: ['test/**/*.test.ts'],
	extensions: {ts: 'module'},
	nodeArguments: ['--import=tsx'],
	// A process per test file: an embedded engine belongs to one process.
	workerThreads: false,
	// Each file may start a ClickHouse (~260 MB) and a PostgreSQL (~320 MB).
	concurrency: 2,
	require: ['./test/support/leave.ts'],
	timeout: '2m',
};
