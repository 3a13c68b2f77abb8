import {context, propagation, type Span, SpanKind, SpanStatusCode, trace} from '@opentelemetry/api';
import {OTLPTraceExporter} from '@opentelemetry/exporter-trace-otlp-http';
import {resourceFromAttributes} from '@opentelemetry/resources';
import {
	BatchSpanProcessor,
	NodeTracerProvider,
	ParentBasedSampler,
	TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type {Tracer} from '../lib/tracer.ts';

export interface OtelOptions {
	/** Base address of a collector; spans go to `<endpoint>/v1/traces` as OTLP over HTTP. */
	readonly endpoint: string;
	readonly serviceName: string;
	/** Share of traces that begin here, 0 to 1; what a caller has sampled is always kept. */
	readonly ratio: number;
	/** How long spans are gathered before they are sent. */
	readonly delayMs?: number;
}

export interface OtelTracer extends Tracer {
	/** Sends what is left. */
	close(): Promise<void>;
}

/** Spans through OpenTelemetry. Imported only where traces are configured: nothing else loads its libraries. */
export function startOtelTracer({endpoint, serviceName, ratio, delayMs = 2_000}: OtelOptions): OtelTracer {
	const exporter = new OTLPTraceExporter({url: `${endpoint.replace(/\/+$/, '')}/v1/traces`});
	const provider = new NodeTracerProvider({
		resource: resourceFromAttributes({'service.name': serviceName}),
		sampler: new ParentBasedSampler({root: new TraceIdRatioBasedSampler(ratio)}),
		spanProcessors: [new BatchSpanProcessor(exporter, {scheduledDelayMillis: delayMs})],
	});
	// The context manager and W3C's propagation with it.
	provider.register();
	const tracer = provider.getTracer('millrace');

	async function within<T>(span: Span, work: () => Promise<T>): Promise<T> {
		try {
			return await context.with(trace.setSpan(context.active(), span), work);
		} catch (error) {
			// The code alone: messages stay in the log, where they are cleaned.
			fail(span, String((error as {code?: unknown} | null)?.code ?? 'error'));
			throw error;
		} finally {
			span.end();
		}
	}

	return {
		serve(headers, work) {
			const parent = propagation.extract(context.active(), headers);
			const span = tracer.startSpan('request', {kind: SpanKind.SERVER}, parent);
			return within(span, async () => {
				const served = await work();
				span.updateName(`${served.method} ${served.route}`);
				span.setAttributes({
					'http.request.method': served.method,
					'http.route': served.route,
					'http.response.status_code': served.status,
					'millrace.request_id': served.requestId,
				});
				if (served.status >= 500) fail(span, String(served.status));
				return served;
			});
		},
		span: (name, attributes, work) => within(tracer.startSpan(name, {attributes}), work),
		past(name, {ms, startedMs = Date.now() - ms}, attributes, failure, parts = []) {
			// What was made ahead of it belongs to it as well.
			const from = Math.min(startedMs, ...parts.map(part => part.startedMs));
			const span = tracer.startSpan(name, {attributes, startTime: from});
			const within = trace.setSpan(context.active(), span);
			for (const part of parts) {
				const inner = tracer.startSpan(
					part.name,
					{attributes: part.attributes, startTime: part.startedMs},
					within,
				);
				if (part.failure !== undefined) fail(inner, part.failure);
				inner.end(part.startedMs + part.ms);
			}
			if (failure !== undefined) fail(span, failure);
			span.end(startedMs + ms);
		},
		headers() {
			const carrier: Record<string, string> = {};
			propagation.inject(context.active(), carrier);
			return carrier;
		},
		async close() {
			await provider.shutdown().catch(() => undefined);
			trace.disable();
			context.disable();
			propagation.disable();
		},
	};
}

function fail(span: Span, code: string): void {
	span.setStatus({code: SpanStatusCode.ERROR});
	span.setAttribute('error.type', code);
}
