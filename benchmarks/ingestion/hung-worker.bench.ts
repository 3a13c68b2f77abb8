import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {setTimeout as delay} from 'node:timers/promises';
import {linkAnalyzer} from '../../test/support/analyzers.ts';
import {type BenchOptions, type BenchResult, percentile} from '../support/bench.ts';
import {type ServiceProgram, startService} from '../support/service.ts';

const EVERY_MS = 500;
/** Looking is work for the service as well; times are this coarse. */
const LOOK_MS = 50;
const PATIENCE_MS = 30_000;
/** A list every second for the channel whose plugin worker hangs. */
const A_LIST = 50;

interface Probe {
	readonly acceptMs: number;
	readonly visibleMs: number;
}

/**
 * How long after its 200 an activity of a channel without analyzers, and one of a channel whose plugin worker answers, is
 * on its timeline: `baseline` while nothing else happens, `candidate` while the plugin worker of a third channel takes
 * requests and never answers. `rounds`: seconds of each, 60 where absent.
 */
export async function bench({rounds: seconds = 60, say}: BenchOptions): Promise<BenchResult> {
	const [hanging, answering] = await Promise.all([pluginWorker(false), pluginWorker(true)]);
	const service = await startService({PLUGIN_WORKER_ALLOWED_NETWORKS: '127.0.0.1'});
	try {
		const plain = await channel(service, 'plain');
		const good = await channel(service, 'answering', answering.url);
		const hung = await channel(service, 'hanging', hanging.url);
		await probes(service, [plain, good], 5, 'warm');
		const alone = await probes(service, [plain, good], seconds, 'alone');
		const crowd = load(service, hung);
		const beside = await probes(service, [plain, good], seconds, 'beside');
		const sent = await crowd.stop();
		const visible = (found: readonly Probe[]) => found.map(({visibleMs}) => visibleMs);
		const told = (found: readonly Probe[]) => ({
			probes: found.length,
			visible_p50_ms: percentile(visible(found), 0.5),
			visible_p95_ms: percentile(visible(found), 0.95),
			accepted_p95_ms: percentile(
				found.map(({acceptMs}) => acceptMs),
				0.95,
			),
		});
		const figures = {
			plain: {alone: told(alone[0]!), beside: told(beside[0]!)},
			answering: {alone: told(alone[1]!), beside: told(beside[1]!)},
			hung: {sent, called: hanging.calls()},
		};
		say(JSON.stringify(figures, undefined, 2));
		const [before, after] = [visible(alone.flat()), visible(beside.flat())];
		return {
			ratio: Math.round((percentile(after, 0.95) / percentile(before, 0.95)) * 100) / 100,
			...figures,
			raw: {baseline_ms: before, candidate_ms: after, floor_ms: []},
		};
	} finally {
		await Promise.all([service.stop(), hanging.stop(), answering.stop()]);
	}
}

/** Greeted like any other; an activity it answers as it came, or never. */
async function pluginWorker(isAnswering: boolean) {
	let calls = 0;
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		if (request.url !== '/v1/activity_analysis') return void response.end();
		calls += 1;
		const {activity} = JSON.parse(Buffer.concat(chunks).toString('utf8'));
		if (isAnswering) response.end(JSON.stringify({status: 'ok', data: activity}));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		calls: () => calls,
		async stop() {
			server.close();
			server.closeAllConnections();
		},
	};
}

async function channel({client, datamart}: ServiceProgram, name: string, url?: string): Promise<string> {
	const {data} = (await client.post(`${datamart}/channels`, {name, type: 'SITE'})).body;
	const {workspaces} = (await client.get('/v1/connected_user')).body.data;
	const organisationId = workspaces[0].organisation_id;
	if (url !== undefined) await linkAnalyzer(client, {organisationId, channelId: data.id, url});
	return data.id;
}

/** One a channel every half second, for so long. */
async function probes(
	service: ServiceProgram,
	channels: readonly string[],
	seconds: number,
	name: string,
): Promise<Probe[][]> {
	const found: Promise<Probe>[][] = channels.map(() => []);
	for (let number = 0; number < (seconds * 1_000) / EVERY_MS; number++) {
		for (const [index, channelId] of channels.entries()) {
			const probing = probe(service, channelId, `${name}-${index}-${number}`);
			// Told of where all are waited for.
			probing.catch(() => {});
			found[index]!.push(probing);
		}
		await delay(EVERY_MS);
	}
	return Promise.all(found.map(each => Promise.all(each)));
}

async function probe({client, datamart}: ServiceProgram, channelId: string, who: string): Promise<Probe> {
	const began = performance.now();
	const {status} = await client.post(`${datamart}/user_activities`, activity(channelId, `vec:probe-${who}`));
	if (status !== 200) throw new Error(`a probe was answered ${status}`);
	const answered = performance.now();
	for (;;) {
		const answer = await client.get(
			`${datamart}/user_timelines/user_agent_id=vec:probe-${who}/user_activities`,
		);
		const visibleMs = Math.round(performance.now() - answered);
		if (answer.status === 200 && answer.body.total === 1) {
			return {acceptMs: Math.round((answered - began) * 10) / 10, visibleMs};
		}
		if (visibleMs > PATIENCE_MS) throw new Error(`a probe is not on its timeline after ${PATIENCE_MS} ms`);
		await delay(LOOK_MS);
	}
}

/** Lists for the channel whose plugin worker hangs, until stopped; answers how many activities were taken. */
function load({client, datamart}: ServiceProgram, channelId: string): {stop(): Promise<number>} {
	const ended = new AbortController();
	let sent = 0;
	const running = (async () => {
		while (!ended.signal.aborted) {
			const list = Array.from({length: A_LIST}, (_, index) => activity(channelId, `vec:hung-${index}-bench`));
			if ((await client.post(`${datamart}/user_activities`, list)).status === 200) sent += A_LIST;
			await delay(1_000);
		}
	})();
	return {
		async stop() {
			ended.abort();
			await running;
			return sent;
		},
	};
}

function activity(channelId: string, agent: string) {
	return {
		$type: 'SITE_VISIT',
		$site_id: channelId,
		$session_status: 'CLOSED_SESSION',
		$ts: Date.now(),
		$user_agent_id: agent,
		$events: [{$event_name: '$page_view', $properties: {$url: 'https://shop.example/'}}],
	};
}
