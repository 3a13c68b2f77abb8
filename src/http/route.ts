import type {IncomingHttpHeaders} from 'node:http';
import type {z} from 'zod';
import type {CallersRead} from '../analytics/questions/questions.ts';
import type {AuditEvent, Trail} from '../audit/audit.ts';
import type {ErrorCode} from '../errors.ts';
import type {Action} from '../identity/policy.ts';
import type {Principal} from '../identity/principal.ts';
import type {Datamart} from '../tenants/directory.ts';
import type {Charge} from './rate-limit.ts';

/** What a handler is given: everything is checked before it runs. */
export interface RouteRequest<Body, Query> {
	/** As it came: a route of GET also answers HEAD. */
	readonly method: string;
	/** Who asks; on public routes nobody has been asked for. */
	readonly principal: Principal;
	/** The datamart of `:datamartId`, already known to be one the principal may act on. */
	readonly datamart: Datamart;
	readonly params: Readonly<Record<string, string>>;
	readonly query: Query;
	readonly body: Body;
	/** The request's body as it was sent, after decompression and without a byte order mark. */
	readonly bytes: Buffer;
	/** The body of a route with `'stream'`, after decompression, to be read once; see `uploadOf` for files. */
	readonly stream: AsyncIterable<Buffer>;
	readonly headers: IncomingHttpHeaders;
	/** The digest of a signed request: the same one again is the same request again. */
	readonly mac: string | undefined;
	readonly remoteAddress: string;
	/** Aborted when the client goes away. */
	readonly signal: AbortSignal;
	/**
	 * How questions are put to the warehouse for whoever asks: they end with the request, wait for their turn, can be
	 * cancelled by the id in the answer's `X-Query-Id`, and are charged to them.
	 */
	readonly read: CallersRead;
	/** Headers to send with the answer. */
	setHeader(name: string, value: string): void;
	/** What the audit trail should say beside path, body and answer, on routes with `audit`. */
	readonly trail: Trail;
	/** Counts further units against the rate limit; the request itself has cost one. */
	readonly charge: Charge;
}

/**
 * One route of the interface as a value: who may (action), what shape, what happens. Authentication, the role check,
 * the datamart's tenant check, body limits and parsing happen before `handle`, in `mount.ts`, for all routes alike.
 * `handle` answers an envelope (`ok`, `okPage`) or a `RawAnswer`.
 */
export interface Route<Body = unknown, Query = unknown> {
	readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** Whole path with `:name` parameters, starting with /v1. Aliases are further paths that answer the same. */
	readonly path: string;
	readonly aliases?: readonly string[];
	readonly summary: string;
	/**
	 * The answer's `data` on the wire, or each item of a list, or bytes without an envelope, or either by what was asked:
	 * what the OpenAPI document says of it.
	 */
	readonly answer?: z.ZodType | {readonly page: z.ZodType} | 'bytes' | {readonly bytesOr: z.ZodType};
	/** Of a body that the handler reads itself: its content types, and what is in them, for the OpenAPI document. */
	readonly accepts?: Readonly<Record<string, z.ZodType | 'bytes'>>;
	/** What the domain refuses with here, beside what every route of this shape may answer. */
	readonly errors?: readonly ErrorCode[];
	/** A line of the policy table (identity/policy.ts); 'public' needs nobody. */
	readonly action: Action;
	/** Written into the audit trail when the call succeeds: all that changes users, tokens, tenants, plugins or deletes. */
	readonly audit?: AuditEvent;
	/** Schema of the JSON body; absent: the body is not read. `'raw'`: bytes only. `'stream'`: by the handler, unsigned. */
	readonly body?: z.ZodType<Body> | 'raw' | 'stream';
	readonly query?: z.ZodType<Query>;
	/** A channel's public token may stand in the query, as `token`: images are asked for without headers. */
	readonly tokenInQuery?: boolean;
	/** Asked far more often than all others together. */
	readonly busy?: boolean;
	/** Body limit in bytes where it differs from the configured one. */
	readonly maxBodyBytes?: number;
	handle(request: RouteRequest<Body, Query>): Promise<unknown>;
}

/** Keeps a route's schema and handler in step; erases the types for the list. */
export function route<Body = undefined, Query = undefined>(definition: Route<Body, Query>): Route {
	return definition as unknown as Route;
}
