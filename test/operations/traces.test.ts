import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import test from 'ava';
import {DomainError} from '../../src/errors.ts';
import {PartsTracer} from '../../src/lib/parts-tracer.ts';
import {installTracer, traceHeaders} from '../../src/lib/tracer.ts';
import {startOtelTracer} from '../../src/operations/otel-tracer.ts';
import {startAnalyzerWorker, unchanged} from '../support/analyzer-worker.ts';
import {linkAnalyzer} from '../support/analyzers.ts';
import {startTestService} from '../support/service.ts';

interface SentSpan {
	readonly name: string;
	readonly traceId: string;
	readonly spanId: string;
	readonly parentSpanId?: string;
	readonly attributes: readonly {readonly key: string; readonly value: Record<string, unknown>}[];
}

/** A collector: OTLP over HTTP with JSON bodies. */
async function startCollector() {
	const spans: SentSpan[] = [];
	const bodies: string[] = [];
	const server = createServer(async (request, response) => {
		let text = '';
		for await (const piece of request) text += piece;
		bodies.push(text);
		for (const {scopeSpans} of JSON.parse(text).resourceSpans) {
			for (const scope of scopeSpans) spans.push(...scope.spans);
		}
		response.writeHead(200, {'content-type': 'application/json'}).end('{}');
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {spans, bodies, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`};
}

test.serial(
	'a request is a trace of what was done for it, a child of its sender’s, and says nothing of people',
	async t => {
		const collector = await startCollector();
		const tracer = startOtelTracer({
			endpoint: `${collector.url}/`,
			serviceName: 'millrace-test',
			ratio: 1,
			delayMs: 100,
		});
		installTracer(tracer);
		const worker = await startAnalyzerWorker(unchanged);
		t.teardown(() => worker.close());
		const service = await startTestService({PLUGIN_WORKER_ALLOWED_NETWORKS: '127.0.0.0/8'});
		const channelId = (await service.get(`/v1/datamarts/${service.datamartId}/channels`)).body.data[0].id;
		await linkAnalyzer(service, {organisationId: service.organisationId, channelId, url: worker.url});
		const traceId = 'ab'.repeat(16);
		const traceparent = `00-${traceId}-${'cd'.repeat(8)}-01`;
		const path = `/v1/datamarts/${service.datamartId}/user_activities`;
		const visit = {$type: 'SITE_VISIT', $user_agent_id: 'vec:nobody-reads-this'};
		const short = await service.post(path, visit, {traceparent, 'x-request-id': 'short'});
		const long = await service.post(`${path}?async=false`, visit, {traceparent, 'x-request-id': 'long'});
		await service.post(`${path}?async=false`, {...visit, $site_id: channelId});
		const asked = await service.post(
			`/v1/datamarts/${service.datamartId}/user_analytics_funnel`,
			{
				for: [{name: 'any', filter_clause: {operator: 'AND', filters: []}}],
				in: {type: 'WINDOW', unit: 'DAY', offset: 7},
			},
			{traceparent},
		);
		t.deepEqual([short.status, long.status, asked.status], [200, 200, 200]);
		await service.stop();
		await tracer.close();
		installTracer(undefined);
		t.is(traceHeaders(), undefined);
		collector.server.close();

		const ours = collector.spans.filter(span => span.traceId === traceId);
		const attribute = (span: SentSpan, key: string) => {
			const found = span.attributes.find(one => one.key === key);
			return found && Object.values(found.value)[0];
		};
		const requests = ours.filter(span => span.parentSpanId === 'cd'.repeat(8));
		const posts = requests.filter(span => span.name === 'POST /v1/datamarts/:datamartId/user_activities');
		t.deepEqual(posts.map(span => attribute(span, 'millrace.request_id')).sort(), ['long', 'short']);
		for (const post of posts) {
			t.is(Number(attribute(post, 'http.response.status_code')), 200);
			const append = ours.find(span => span.name === 'journal.append' && span.parentSpanId === post.spanId);
			const commit = ours.find(
				span => span.name === 'journal.commit' && span.parentSpanId === append?.spanId,
			);
			t.true(Number(attribute(commit!, 'records')) >= 1, 'the sync that kept it');
		}
		const funnel = requests.find(span => span.name.endsWith('user_analytics_funnel'));
		t.is(ours.find(span => span.name === 'funnel.steps')?.parentSpanId, funnel?.spanId);
		const batches = collector.spans.filter(span => span.name === 'drain.batch');
		t.true(batches.length > 0);
		t.true(batches.every(batch => batch.traceId !== traceId && !batch.parentSpanId));
		const inBatches = collector.spans.filter(span =>
			batches.some(batch => batch.spanId === span.parentSpanId),
		);
		for (const name of ['user_points.place', 'write to fact_rows_v1', 'write to activities_v1']) {
			t.true(
				inBatches.some(span => span.name === name),
				name,
			);
		}
		const chain = collector.spans.find(span => span.name === 'activity_chain');
		const told = worker.requests.find(({path: called}) => called === '/v1/activity_analysis')?.headers
			.traceparent;
		t.is(told, `00-${chain?.traceId}-${chain?.spanId}-01`, 'the plugin worker goes on with the trace');
		const all = collector.bodies.join('');
		t.true(all.includes('millrace-test'));
		for (const secret of ['nobody-reads-this', service.token]) t.false(all.includes(secret));
	},
);

test.serial(
	'what a thread did is told in another, failures by their codes, and no more than anybody would read',
	async t => {
		const thread = new PartsTracer();
		t.is(await thread.span('good', {rows: 2}, async () => 'done'), 'done');
		const failing = () => Promise.reject(new DomainError('store_unavailable', 'somebody@example.org'));
		await t.throwsAsync(thread.span('bad', {}, failing));
		thread.past('before', {ms: 5}, {}, 'late');
		const parts = thread.take();
		t.deepEqual(
			parts.map(({name, failure}) => [name, failure]),
			[
				['good', undefined],
				['bad', 'store_unavailable'],
				['before', 'late'],
			],
		);
		t.true(parts.every(part => Math.abs(part.startedMs - Date.now()) < 60_000 && part.ms >= 0));
		t.false(JSON.stringify(parts).includes('somebody'));
		t.deepEqual(thread.take(), []);
		for (let i = 0; i < 2_000; i++) thread.past('again', {ms: 0}, {});
		t.is(thread.take().length, 500);
	},
);

test.serial('a collector that is away costs nobody an answer', async t => {
	const tracer = startOtelTracer({endpoint: 'http://127.0.0.1:1', serviceName: 'x', ratio: 1, delayMs: 10});
	const done = await tracer.span('work', {}, async () => {
		t.regex(tracer.headers().traceparent ?? '', /^00-[\da-f]{32}-[\da-f]{16}-01$/);
		return 'done';
	});
	t.is(done, 'done');
	await t.throwsAsync(
		tracer.span('work', {}, () => Promise.reject(new RangeError('thrown on'))),
		{instanceOf: RangeError},
	);
	await Promise.race([tracer.close(), new Promise(resolve => setTimeout(resolve, 2_000))]);
});
