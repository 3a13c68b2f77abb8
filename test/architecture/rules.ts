/**
 * Who may know whom, as data. A part is a root file (`main`), a folder (`http/`), or a role inside an area (`*.route`);
 * `<x>` is an area's file without a suffix: the domain itself.
 */
export const AREAS = [
	...['identity', 'tenants', 'audit', 'ingestion', 'analytics', 'audience', 'plugins', 'bulk', 'files'],
];

export interface Arrow {
	/** Parts it may import. Its own part inside its own area goes without saying. */
	readonly knows: readonly string[];
	/** Parts of which it may import types only: interfaces that are handed in. */
	readonly knowsTypes?: readonly string[];
	readonly why: string;
}

const EVERYWHERE = ['errors', 'validation', 'lib/'];

export const ARROWS: Readonly<Record<string, Arrow>> = {
	main: {
		knows: ['config', 'services', 'app', 'http/', 'operations/', 'errors', 'lib/'],
		why: 'the process wires config, services and app together and does nothing else',
	},
	app: {
		knows: ['http/', 'operations/', 'operations/*.route', '*.route', 'errors'],
		why: 'the Koa app is middleware in order, then routes: what it serves is handed in',
	},
	services: {
		knows: [
			...EVERYWHERE,
			...[
				'config',
				'stores',
				'*.services',
				'*.route',
				'*.store',
				'<x>',
				'http/',
				'postgres/',
				'warehouse/',
				'operations/',
				'jobs/',
				'query/',
			],
		],
		why: 'the composition root builds everything, but nothing in it knows the process or the Koa app',
	},
	stores: {
		knows: [...EVERYWHERE, 'config', 'postgres/', 'warehouse/', 'operations/'],
		why: 'it opens the engines the configuration names, before any area is built',
	},
	'*.services': {
		knows: [
			...EVERYWHERE,
			'*.route',
			'*.store',
			'*.query',
			'<x>',
			'http/',
			'postgres/',
			'warehouse/',
			'jobs/',
		],
		why: "an area's own composition: services.ts hands it the engines and takes its routes",
	},
	config: {knows: [], why: 'reading the environment needs nothing of the service'},
	errors: {knows: [], why: 'what can go wrong is said in words of its own'},
	validation: {
		knows: ['errors'],
		why: 'it turns faults of a schema into domain errors, and knows nothing else',
	},
	'lib/': {knows: [], why: 'lib has no domain: what needs more belongs into an area'},
	'postgres/': {
		knows: EVERYWHERE,
		knowsTypes: ['workers/'],
		why: 'the way to PostgreSQL serves every area and so knows none',
	},
	'warehouse/': {knows: EVERYWHERE, why: 'the way to ClickHouse serves every area and so knows none'},
	'query/': {
		knows: [...EVERYWHERE],
		knowsTypes: ['warehouse/'],
		why: 'how a question becomes SQL is pure: no store, no HTTP, nothing that waits',
	},
	'http/': {
		knows: [...EVERYWHERE, '<x>'],
		why: 'the edge asks the domain who may do what; it reaches no store and no query',
	},
	'operations/': {knows: EVERYWHERE, why: 'health and metrics are told by the others, they ask nobody'},
	'operations/*.route': {
		knows: [...EVERYWHERE, 'operations/', 'http/'],
		why: 'health needs no area to answer',
	},
	'client/': {
		knows: [],
		why: "it runs in strangers' programs and in browsers: nothing of the service comes along",
	},
	'cli/': {
		knows: ['client/', 'config', 'errors', 'lib/'],
		why: 'the command line is a client: it speaks HTTP and knows the service only by its interface',
	},
	'jobs/': {
		knows: EVERYWHERE,
		knowsTypes: ['workers/'],
		why: 'jobs are typed callers of threads, which they start by name',
	},
	'workers/': {
		knows: [...EVERYWHERE, '<x>', 'postgres/', 'warehouse/', 'query/'],
		why: 'a thread entry builds what its thread needs, like a small services.ts; it knows no HTTP',
	},
	'*.route': {
		knows: [...EVERYWHERE, '*.schema', '<x>', 'http/'],
		knowsTypes: ['*.store', 'warehouse/', 'postgres/'],
		why: 'a route says who, what shape, and calls one function of the domain',
	},
	'*.schema': {
		knows: [...EVERYWHERE, '*.schema', '<x>', 'query/', 'http/'],
		why: 'the schema is the border between the wire and the domain',
	},
	'<x>': {
		knows: [...EVERYWHERE, '*.schema', '*.query', '<x>', 'query/'],
		knowsTypes: ['*.store', 'warehouse/', 'jobs/'],
		why: 'the domain is given its stores as interfaces, so that a test can hold it; it has never heard of HTTP',
	},
	'*.query': {
		knows: [...EVERYWHERE, '*.schema', '<x>', 'query/', 'warehouse/'],
		why: 'a query is a name, SQL, parameters and rows: it asks the warehouse, never a store',
	},
	'*.store': {
		knows: [...EVERYWHERE, '<x>', 'postgres/'],
		knowsTypes: ['*.schema'],
		why: 'a store translates between rows and the domain',
	},
	'*.store.fake': {
		knows: [...EVERYWHERE, '<x>'],
		knowsTypes: ['*.store'],
		why: 'a fake stands in for its store and needs no database',
	},
};

/** One area reaches another only through its domain and its border, never through its store or its queries. */
export const INNER_PARTS = ['*.store', '*.store.fake', '*.query'];

/** Files that may reach further, each with its reason. An exception that is no longer needed fails the test. */
export const EXCEPTIONS: Readonly<
	Record<string, {readonly reaches: readonly string[]; readonly why: string}>
> = {
	'src/identity/first-boot.store.ts': {
		reaches: ['*.store'],
		why: 'the first tenant and its administrator are written in one transaction, over two areas',
	},
	'src/identity/first-boot.ts': {
		reaches: ['*.store', 'postgres/'],
		why: 'it opens that transaction',
	},
	'src/ingestion/drain/build-drain.ts': {
		reaches: ['*.store', 'postgres/'],
		why: 'it builds the drain inside its thread, where services.ts cannot hand anything in',
	},
	'src/ingestion/ingestion.ts': {
		reaches: ['*.store', 'postgres/'],
		why: "it builds its area's own parts, so that services.ts need not know them",
	},
};

export interface LibraryRule {
	readonly libraries: readonly string[];
	/** Path prefixes or suffixes under the root. */
	readonly spokenIn: readonly string[];
	/** Where only its types may be named. */
	readonly typesIn?: readonly string[];
	readonly why: string;
}

export const LIBRARIES: readonly LibraryRule[] = [
	{
		libraries: ['koa', '@koa/router', '@koa/cors', 'koa-compose', '@bokuweb/zstd-wasm', '@fastify/busboy'],
		spokenIn: ['src/app.ts', 'src/http/', '.route.ts'],
		why: 'a domain that has never heard of HTTP can be asked by a job or a test as well',
	},
	{
		libraries: ['@clickhouse/client', 'chdb'],
		spokenIn: ['src/warehouse/'],
		why: 'embedded engine and server differ in the warehouse alone',
	},
	{
		libraries: ['knex', 'pg', '@electric-sql/pglite'],
		spokenIn: ['.store.ts', 'src/services.ts', 'src/postgres/', 'workers/embedded-postgres.ts'],
		why: 'SQL for PostgreSQL lives in stores',
	},
	{
		libraries: ['lmdb'],
		spokenIn: ['src/ingestion/accepted-keys/'],
		why: 'an index beside the journal, and nothing else',
	},
	{
		libraries: ['zod'],
		spokenIn: [
			...[
				'.schema.ts',
				'.query.ts',
				'src/query/inputs.ts',
				'src/config.ts',
				'src/validation.ts',
				'src/http/',
			],
			'src/warehouse/',
		],
		why: 'shapes are checked at the border; behind it they are types',
	},
	{
		libraries: ['zod-openapi'],
		spokenIn: ['src/http/openapi/'],
		why: 'routes say what they take and answer; one place makes a document of it',
	},
	{
		libraries: ['swagger-ui-dist'],
		spokenIn: [],
		why: 'its files are served to browsers; nothing of it runs here',
	},
	{
		libraries: ['pino'],
		spokenIn: ['src/operations/log.ts'],
		typesIn: ['src/'],
		why: 'one logger is made, which keeps secrets to itself, and is handed down',
	},
	{
		libraries: ['prom-client'],
		spokenIn: ['src/operations/'],
		why: 'areas report numbers, operations/ tells them',
	},
	{
		libraries: [
			...['@opentelemetry/api', '@opentelemetry/exporter-trace-otlp-http'],
			...['@opentelemetry/resources', '@opentelemetry/sdk-trace-node'],
		],
		spokenIn: ['src/operations/otel-tracer.ts'],
		why: 'loaded only where traces are configured; all else knows lib/tracer.ts',
	},
	{
		libraries: ['temporal-polyfill'],
		spokenIn: ['src/lib/'],
		why: 'local days become instants in one place',
	},
	{
		libraries: ['ua-parser-js', 'isbot', 'lossless-json'],
		spokenIn: ['src/ingestion/facts/'],
		why: 'what an activity says is read where facts are made',
	},
	{libraries: ['@node-rs/argon2'], spokenIn: ['src/identity/'], why: 'passwords are a matter of identity'},
	{
		libraries: ['lru-cache'],
		spokenIn: ['src/'],
		why: 'a cache with a bound may stand wherever one is needed',
	},
	{
		libraries: ['@aws-sdk/client-s3', '@aws-sdk/lib-storage'],
		spokenIn: ['src/files/blobs/'],
		why: 'whether files are on a disk or in a bucket is known where they are written',
	},
	{
		libraries: ['graphql'],
		spokenIn: ['src/audience/datamart-schemas/'],
		why: 'the schema of a datamart is a text in its language',
	},
	{libraries: ['piscina'], spokenIn: ['src/jobs/'], why: 'threads are started in one place'},
	{
		libraries: ['undici'],
		spokenIn: ['src/plugins/worker-client/'],
		why: 'what a stranger operates is called in one place, where addresses, sizes and time are watched',
	},
	{
		libraries: ['csv-parse'],
		spokenIn: ['src/plugins/layouts/', 'src/audience/final-values/', 'workers/'],
		why: 'files are read where they come in',
	},
	{
		libraries: ['cli-progress', 'cli-table3', '@inquirer/prompts', '@oclif/core'],
		spokenIn: ['src/cli/'],
		why: 'a service draws nothing and asks nobody',
	},
	{
		libraries: ['@oclif/plugin-help'],
		spokenIn: [],
		why: "package.json names it: the command line tool's help",
	},
];
