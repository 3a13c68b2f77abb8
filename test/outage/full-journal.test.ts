import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {CheckpointFile} from '../../src/ingestion/drain/checkpoint.ts';
import {Journal} from '../../src/ingestion/journal/journal.ts';
import {drainAll} from '../crash/check.ts';
import {startClickHouseFixture} from '../support/clickhouse-fixture.ts';
import {startWire} from '../support/proxy.ts';
import {type Answer, startTestService} from '../support/service.ts';

const BOUND = 60_000;

/** A text no door would let in, into the journal of a stopped service: it becomes a dead letter. */
async function putPoison(dataDir: string, datamartId: number): Promise<void> {
	const directory = join(dataDir, 'journal');
	const {nextArrival, confirmed} = await new CheckpointFile(directory).read();
	const journal = await Journal.open({directory, nextArrival, confirmed});
	await journal.append([
		{
			datamartId,
			defaultCompartmentId: 1,
			receivedMs: Date.now(),
			rows: 1,
			userAgent: '',
			body: Buffer.from('{"$type": "SITE_VISIT"'),
		},
	]);
	await journal.close();
}

async function untilTaken(send: () => Promise<Answer>): Promise<void> {
	for (const until = Date.now() + 30_000; ; await delay(100)) {
		const {status, body} = await send();
		if (status === 200) return;
		if (Date.now() > until) throw new Error(`still ${status} ${JSON.stringify(body)}`);
	}
}

test('when what waits for a store has reached its bound, every door answers 503 with Retry-After and keeps nothing; when the store is back, they take more', async t => {
	t.timeout(120_000);
	const clickhouse = await startClickHouseFixture();
	t.teardown(() => clickhouse.stop());
	const wire = await startWire({port: clickhouse.port});
	t.teardown(() => wire.close());
	const dataDir = mkdtempSync(join(tmpdir(), 'millrace-full-'));
	t.teardown(() => rmSync(dataDir, {recursive: true, force: true}));
	const environment = {
		CLICKHOUSE_URL: `http://127.0.0.1:${wire.port}`,
		MAX_JOURNAL_BYTES: String(BOUND),
	};
	const first = await startTestService(environment, dataDir);
	await first.stop();
	await putPoison(dataDir, Number(first.datamartId));
	const service = await startTestService(environment, dataDir);
	t.teardown(() => service.stop());
	const datamart = `/v1/datamarts/${service.datamartId}`;
	const path = `${datamart}/user_activities`;
	const visit = (agent: string, number: number) => ({
		$type: 'SITE_VISIT',
		$user_agent_id: `vec:${agent}`,
		$events: [{$event_name: 'view', $properties: {number, filler: 'x'.repeat(200)}}],
	});
	const shown = async (agent: string) => {
		const {body} = await service.get(
			`${datamart}/user_timelines/user_agent_id=vec:${agent}/user_activities?max_results=500`,
		);
		return (body.data ?? []).map(
			(activity: {$events: [{$properties: {number: number}}]}) => activity.$events[0].$properties.number,
		);
	};

	// More than the bound in all, as long as it is drained meanwhile.
	for (let round = 0; round < 4; round++) {
		const many = Array.from({length: 80}, (_, index) => visit('before', round * 80 + index));
		t.is((await service.post(`${path}?async=false`, many)).status, 200);
	}
	t.is(new Set(await shown('before')).size, 320);
	const {data: letters} = (await service.get(`${datamart}/dead_letters`)).body;
	t.is(letters.length, 1);
	const replay = `${datamart}/dead_letters/${letters[0].id}/replay`;

	await wire.refuse();
	const accepted: number[] = [];
	let refusal: Answer | undefined;
	for (let number = 0; number < 1000 && !refusal; number++) {
		const answer = await service.post(path, visit('during', number));
		if (answer.status === 200) accepted.push(number);
		else refusal = answer;
	}
	t.true(accepted.length > 50 && accepted.length < 400, `${accepted.length} were accepted up to the bound`);
	const isRefused = ({status, headers, body}: Answer, what: string) => {
		t.is(status, 503, what);
		t.is(body.error_code, 'journal_full', what);
		t.regex(headers.get('retry-after') ?? '', /^[1-9]\d*$/, what);
	};
	isRefused(refusal!, 'one activity');
	isRefused(await service.post(path, visit('refused', 1)), 'one more');
	isRefused(await service.post(path, [visit('refused', 2), visit('refused', 3)]), 'a list');
	isRefused(
		await service.request('POST', path, `${JSON.stringify(visit('refused', 4))}\n`, {
			'content-type': 'application/x-ndjson',
		}),
		'ndjson',
	);
	isRefused(await service.post(replay, visit('replayed', 5)), 'a replay');
	isRefused(await service.post(path, {...visit('refused', 6), $unique_key: 'once'}), 'with a key');
	t.is((await service.get(`${datamart}/dead_letters`)).body.total, 1, 'the letter stays');

	await wire.pass();
	// The batch that was under way comes first, and may be small: full again right after one is possible.
	await untilTaken(() => service.post(path, {...visit('after', 7), $unique_key: 'once'}));
	await untilTaken(() => service.post(replay, visit('replayed', 5)));
	await drainAll(service, datamart);
	t.deepEqual(
		(await shown('during')).sort((a: number, b: number) => a - b),
		accepted,
	);
	t.deepEqual(await shown('refused'), []);
	t.deepEqual(await shown('after'), [7], 'a key that was refused is not taken');
	t.deepEqual(await shown('replayed'), [5]);
});
