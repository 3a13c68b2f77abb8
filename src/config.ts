import {readFileSync} from 'node:fs';
import {isIP} from 'node:net';
import {z} from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);
const positive = z.coerce.number().int().positive();
const list = z.string().transform(text => text.split(',').flatMap(part => part.trim() || []));

/** Words that stand in the names of headers and in URI schemes. */
const brandWords = list.transform((words, context) => {
	for (const word of words.filter(each => !/^[a-z][a-z\d-]*$/i.test(each))) {
		context.addIssue({code: 'custom', message: `${word} is no word: letters, digits and -`});
	}
	return words;
});

/** A number of proxies, or the networks they are in. */
const proxies = list.transform((parts, context) => {
	const [only = ''] = parts;
	if (parts.length === 1 && /^\d{1,2}$/.test(only)) return Number(only);
	for (const part of parts.filter(each => !isNetwork(each))) {
		context.addIssue({
			code: 'custom',
			message: `${part} is neither a number of proxies nor a network such as 10.0.0.0/8`,
		});
	}
	return parts;
});

/** Addresses and CIDRs. */
const networks = list.transform((parts, context) => {
	for (const part of parts.filter(each => !isNetwork(each))) {
		context.addIssue({code: 'custom', message: `${part} is no network such as 10.0.0.0/8`});
	}
	return parts;
});

function isNetwork(text: string): boolean {
	const [address = '', bits, ...more] = text.split('/');
	const family = isIP(address);
	if (family === 0 || more.length > 0) return false;
	return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

/** Every variable the service knows; `README.md` lists them for people. */
const Environment = z.object({
	PORT: port.default(8080),
	HOST: z.string().min(1).default('127.0.0.1'),
	DATA_DIR: z.string().min(1).default('./data'),
	DATABASE_URL: z.url({protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address'}).optional(),
	CLICKHOUSE_URL: z.url({protocol: /^https?$/, error: 'must be an http:// or https:// address'}).optional(),
	// As the servers' own configuration calls it (remote_servers); CLICKHOUSE_URL is one of them.
	CLICKHOUSE_CLUSTER: z
		.string()
		.regex(/^[A-Za-z_][\w-]*$/, 'must be a name: letters, digits, _ and -')
		.optional(),
	// `admin@localhost` is an address here, which it is not for everybody.
	ADMIN_EMAIL: z
		.string()
		.regex(/^\S+@\S+$/, 'must be an e-mail address')
		.optional(),
	ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),
	SECRET_KEY: z
		.string()
		.min(16, 'must have at least 16 characters; make one with: openssl rand -hex 32')
		.optional(),
	BRAND_ALIASES: brandWords.default(['mics']),
	PLUGIN_WORKER_ALLOWED_NETWORKS: networks.default([]),
	TRUST_PROXY: proxies.default(0),
	RATE_LIMIT_PER_SECOND: positive.optional(),
	S3_BUCKET: z.string().min(1).optional(),
	S3_PREFIX: z.string().max(512).default(''),
	S3_ENDPOINT: z.url({protocol: /^https?$/, error: 'must be an http:// or https:// address'}).optional(),
	S3_REGION: z.string().min(1).default('us-east-1'),
	S3_ACCESS_KEY_ID: z.string().min(1).optional(),
	S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
	MAX_FILE_BYTES: positive.default(100 * 1024 * 1024),
	// A journal record holds no more than twice this.
	MAX_BODY_BYTES: positive.max(32 * 1024 * 1024).default(5 * 1024 * 1024),
	MAX_JOURNAL_BYTES: positive.default(8 * 1024 ** 3),
	QUERY_TIMEOUT_SECONDS: positive.max(3600).default(30),
	QUERY_MEMORY_BYTES: positive.default(4 * 1024 ** 3),
	// Both of a server alone: the embedded engine has as many sessions as it has.
	HEAVY_QUERIES: positive.max(1000).default(8),
	LIGHT_QUERIES: positive.max(1000).default(32),
	QUERIES_PER_CALLER: positive.default(4),
	QUERIES_WAITING_PER_CALLER: positive.default(50),
	QUERY_WAIT_SECONDS: positive.max(600).default(20),
	QUERY_CACHE_BYTES: positive.default(64 * 1024 * 1024),
	OTEL_EXPORTER_OTLP_ENDPOINT: z
		.url({protocol: /^https?$/, error: 'must be an http:// or https:// address'})
		.optional(),
	OTEL_SERVICE_NAME: z.string().min(1).default('millrace'),
	// As OpenTelemetry's parentbased_traceidratio reads it.
	OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
	METRICS: z.enum(['on', 'off']).default('on'),
	METRICS_TOKEN: z
		.string()
		.min(16, 'must have at least 16 characters; make one with: openssl rand -hex 32')
		.optional(),
	SLOW_MS: positive.default(2_000),
	LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

export type Config = z.output<typeof Environment>;

/** Thrown with every bad variable at once. */
export class ConfigError extends Error {
	override readonly name = 'ConfigError';
}

/** Reads the environment, here and nowhere else; any variable may come from a file named by `NAME_FILE`. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
	const problems: string[] = [];
	const values: Record<string, string> = {};
	for (const name of Object.keys(Environment.shape)) {
		const file = environment[`${name}_FILE`];
		try {
			const value = file ? readFileSync(file, 'utf8').trim() : environment[name];
			// An empty variable is an unset one: that is how compose files leave things out.
			if (value) values[name] = value;
		} catch (error) {
			problems.push(`${name}_FILE: cannot be read (${(error as NodeJS.ErrnoException).code})`);
		}
	}
	// Beside the schema, which asks no such question once a variable is bad: all are told at once.
	if (values.DATABASE_URL && !values.SECRET_KEY && !environment.SECRET_KEY_FILE) {
		problems.push('SECRET_KEY: is mandatory with DATABASE_URL; make one with: openssl rand -hex 32');
	}
	if (values.CLICKHOUSE_CLUSTER && !(values.CLICKHOUSE_URL && values.DATABASE_URL)) {
		problems.push('CLICKHOUSE_CLUSTER: needs CLICKHOUSE_URL, one of its servers, and DATABASE_URL');
	}
	if (Boolean(values.S3_ACCESS_KEY_ID) !== Boolean(values.S3_SECRET_ACCESS_KEY)) {
		problems.push('S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: one of them is of no use without the other');
	}
	const result = Environment.safeParse(values);
	if (!result.success) {
		for (const issue of result.error.issues) problems.push(`${issue.path.join('.')}: ${issue.message}`);
	}
	if (problems.length > 0 || !result.success) {
		throw new ConfigError(`The environment is not right:\n${problems.map(line => `  ${line}`).join('\n')}`);
	}
	return result.data;
}

/** What the command line tools take from the environment; their flags win. */
export function readCliConfig(environment: NodeJS.ProcessEnv = process.env): {
	readonly token: string | undefined;
} {
	const file = environment.MILLRACE_TOKEN_FILE;
	try {
		return {token: (file ? readFileSync(file, 'utf8').trim() : environment.MILLRACE_TOKEN) || undefined};
	} catch (error) {
		throw new ConfigError(`MILLRACE_TOKEN_FILE: cannot be read (${(error as NodeJS.ErrnoException).code})`);
	}
}

/** Where the user keeps what can be made again, if they said so. */
export function readCacheHome(environment: NodeJS.ProcessEnv = process.env): string | undefined {
	return environment.XDG_CACHE_HOME || undefined;
}

/** The user's shell, as a path. */
export function readShell(environment: NodeJS.ProcessEnv = process.env): string | undefined {
	return environment.SHELL || undefined;
}

/** The environment of a service started as a child: ours, but of the service's own variables only the given ones. */
export function serviceEnvironment(
	values: Readonly<Partial<Record<keyof Config, string>>>,
	environment: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
	const own = new Set(Object.keys(Environment.shape).flatMap(name => [name, `${name}_FILE`]));
	const others = Object.entries(environment).filter(([name]) => !own.has(name));
	return {...Object.fromEntries(others), ...values};
}
