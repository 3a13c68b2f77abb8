export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** How long it took; it ended just now where nothing says when it began (epoch ms). */
export interface Past {
	readonly ms: number;
	readonly startedMs?: number;
}

/** Something that was done in between, wherever it ran. Plain data: threads tell each other. */
export interface Part {
	readonly name: string;
	/** Epoch ms. */
	readonly startedMs: number;
	readonly ms: number;
	readonly attributes: Attributes;
	/** A code, where it failed. */
	readonly failure?: string;
}

/** What a request turned out to be, once it is answered. */
export interface ServedRequest {
	readonly requestId: string;
	readonly method: string;
	/** Its route's path. */
	readonly route: string;
	readonly status: number;
}

/** Where spans go. Without one installed all of this costs a comparison. */
export interface Tracer {
	/** A request from outside: a child of what its `traceparent` says. */
	serve<Served extends ServedRequest>(
		headers: Readonly<Record<string, string | string[] | undefined>>,
		work: () => Promise<Served>,
	): Promise<Served>;
	span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
	/** Of something that is over already, with what was done in it. */
	past(name: string, when: Past, attributes: Attributes, failure?: string, parts?: readonly Part[]): void;
	/** `traceparent` (and `tracestate`) of what runs here, for a call to somebody else. */
	headers(): Record<string, string>;
}

let tracer: Tracer | undefined;

/** Once, by the process, before anything runs; undefined takes it away again. */
export function installTracer(installed: Tracer | undefined): void {
	tracer = installed;
}

export function servedTraced<Served extends ServedRequest>(
	headers: Readonly<Record<string, string | string[] | undefined>>,
	work: () => Promise<Served>,
): Promise<Served> {
	return tracer ? tracer.serve(headers, work) : work();
}

/** The work, as a span of whatever request or job it is done for. */
export function traced<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
	return tracer ? tracer.span(name, attributes, work) : work();
}

export function tracePast(...told: Parameters<Tracer['past']>): void {
	tracer?.past(...told);
}

/** For what would have to be gathered first. */
export function isTracing(): boolean {
	return tracer !== undefined;
}

/** Nothing where traces are not configured. */
export function traceHeaders(): Record<string, string> | undefined {
	return tracer?.headers();
}
