import test from 'ava';
import type {Line} from '../../../src/cli/upload/lines.ts';
import {uploadLines} from '../../../src/cli/upload/upload.ts';
import {MillraceClient} from '../../../src/client/index.ts';

interface Call {
	readonly path: string;
	readonly bodies: readonly string[];
	readonly key: string;
}

interface Answer {
	readonly status: number;
	readonly body: object;
}

/** Stands for the service: answers each posted body by a rule, and remembers what came. */
class ScriptedService {
	readonly calls: Call[] = [];
	readonly client: MillraceClient;

	constructor(answer: (lines: string[], call: number) => Answer | Promise<Answer> = accepted) {
		const fetch = async (url: unknown, {body, headers}: RequestInit = {}) => {
			const lines = String(body).split('\n');
			const key = new Headers(headers).get('idempotency-key') ?? '';
			this.calls.push({path: String(url).replace('http://service.example', ''), bodies: lines, key});
			const {status, body: said} = await answer(lines, this.calls.length);
			return new Response(JSON.stringify(said), {status});
		};
		this.client = new MillraceClient({url: 'http://service.example', maxAttempts: 1, fetch});
	}
}

function accepted(lines: string[]): Answer {
	return {status: 200, body: {data: {records: lines.map((_, index) => ({index, result: 'accepted'}))}}};
}

/** As the service refuses a body of which no record is good. */
function allBad(lines: string[]): Answer {
	const errors = lines.map((_, index) => ({pointer: `/${index}/$type`, message: 'is needed'}));
	return {status: 400, body: {error: 'no record is valid', errors}};
}

async function* lines(...texts: string[]): AsyncGenerator<Line> {
	for (const [index, text] of texts.entries()) yield {number: index + 1, text};
}

const SMALL = {maxLines: 2, maxLength: 1000};

test('lines arrive in the order of the file, and only the last batch waits until all can be asked for', async t => {
	const service = new ScriptedService();
	const result = await uploadLines(lines('1', '2', '3', '4', '5'), {
		client: service.client,
		datamartId: '7',
		size: SMALL,
	});
	t.deepEqual(
		service.calls.map(({bodies}) => bodies),
		[['1', '2'], ['3', '4'], ['5']],
	);
	t.deepEqual(
		service.calls.map(({path}) => path),
		['', '', '?async=false'].map(query => `/v1/datamarts/7/user_activities${query}`),
	);
	t.like(result, {lines: 5, accepted: 5, rejected: 0, stopped: undefined});
});

test('a batch is no longer than a body may be', async t => {
	const service = new ScriptedService();
	const text = '"0123456789"';
	await uploadLines(lines(text, text, text), {
		client: service.client,
		datamartId: '1',
		size: {maxLines: 100, maxLength: 25},
	});
	t.deepEqual(
		service.calls.map(({bodies}) => bodies.length),
		[2, 1],
	);
});

test('every batch of a run has a key of its own, equal lines or not', async t => {
	const service = new ScriptedService();
	await uploadLines(lines('1', '1', '1', '1'), {client: service.client, datamartId: '1', size: SMALL});
	t.is(new Set(service.calls.map(({key}) => key)).size, 2);
});

test('a rejected line is named by its number in the file and the field that is wrong', async t => {
	const service = new ScriptedService(() => ({
		status: 200,
		body: {
			data: {
				records: [
					{index: 0, result: 'duplicate'},
					{
						index: 1,
						result: 'rejected',
						error: {error: 'bad', errors: [{pointer: '/1/$events/0/$ts', message: 'expected number'}]},
					},
				],
			},
		},
	}));
	const result = await uploadLines(lines('1', '2'), {client: service.client, datamartId: '1'});
	t.like(result, {accepted: 0, duplicates: 1, rejected: 1});
	t.deepEqual(result.rejections, [{line: 2, pointer: '/$events/0/$ts', message: 'expected number'}]);
});

test('one line that is not JSON costs only itself, though the service refuses a body that holds it', async t => {
	const service = new ScriptedService(sent =>
		sent.includes('{oops')
			? {status: 400, body: {error: 'line 2', error_code: 'json_malformed'}}
			: accepted(sent),
	);
	const result = await uploadLines(lines('1', '{oops', '3'), {client: service.client, datamartId: '1'});
	t.deepEqual(service.calls.at(-1)?.bodies, ['1', '3']);
	t.is(result.accepted, 2);
	t.like(result.rejections[0], {line: 2, pointer: ''});
	t.regex(result.rejections[0]!.message, /^not valid JSON/);
});

test('where every line of a batch is bad, each is told with its own fault', async t => {
	const service = new ScriptedService(() => ({
		status: 400,
		body: {error: 'no record is valid', errors: [{pointer: '/1/$type', message: 'is needed'}]},
	}));
	const {rejections} = await uploadLines(lines('{}', '{}'), {client: service.client, datamartId: '1'});
	t.deepEqual(rejections, [
		{line: 1, pointer: '', message: 'no record is valid'},
		{line: 2, pointer: '/$type', message: 'is needed'},
	]);
});

test('where nothing of the last batch is good, the last request that was taken goes again under its key and waits', async t => {
	const service = new ScriptedService(sent => (sent.includes('{}') ? allBad(sent) : accepted(sent)));
	const result = await uploadLines(lines('1', '2', '3', '4', '{}'), {
		client: service.client,
		datamartId: '1',
		size: SMALL,
	});
	t.deepEqual(
		service.calls.map(({bodies}) => bodies),
		[['1', '2'], ['3', '4'], ['{}'], ['3', '4']],
	);
	t.true(service.calls[3]?.path.endsWith('?async=false'));
	t.is(service.calls[3]?.key, service.calls[1]?.key);
	t.like(result, {lines: 5, accepted: 4, rejected: 1, stopped: undefined});
});

test('of a last batch that was too large each half waits, so that it does not matter which of them was good', async t => {
	const service = new ScriptedService(sent => {
		if (sent.length > 1) return {status: 413, body: {error: 'too large'}};
		return sent[0] === '{}' ? allBad(sent) : accepted(sent);
	});
	await uploadLines(lines('1', '{}'), {client: service.client, datamartId: '1'});
	t.deepEqual(
		service.calls.map(({bodies, path}) => [...bodies, path.split('?')[1]]),
		[
			['1', '{}', 'async=false'],
			['1', 'async=false'],
			['{}', 'async=false'],
		],
	);
	t.is(new Set(service.calls.map(({key}) => key)).size, 3);
});

test('where nothing at all is good, nobody is waited for', async t => {
	const service = new ScriptedService(allBad);
	t.like(await uploadLines(lines('{}'), {client: service.client, datamartId: '1'}), {
		rejected: 1,
		stopped: undefined,
	});
	t.is(service.calls.length, 1);
});

test('a batch that is too large for the service is sent in halves, in order', async t => {
	const service = new ScriptedService(sent =>
		sent.length > 1 ? {status: 413, body: {error: 'too large'}} : accepted(sent),
	);
	const result = await uploadLines(lines('1', '2', '3'), {client: service.client, datamartId: '1'});
	t.is(result.accepted, 3);
	t.deepEqual(
		service.calls.filter(({bodies}) => bodies.length === 1).map(({bodies}) => bodies[0]),
		['1', '2', '3'],
	);
});

test('an upload stops at the first batch that fails and says from which line on nothing is known', async t => {
	const service = new ScriptedService((sent, call) => {
		if (call === 2) throw new Error('gone');
		return accepted(sent);
	});
	const result = await uploadLines(lines('1', '2', '3', '4', '5'), {
		client: service.client,
		datamartId: '1',
		size: SMALL,
	});
	t.is(service.calls.length, 2);
	t.like(result, {lines: 2, accepted: 2, stopped: {line: 3}});
	t.regex(result.stopped!.reason, /cannot be reached: gone; it may have been taken/);
});

test('a wrong token is told, not tried again', async t => {
	const service = new ScriptedService(() => ({status: 401, body: {error: 'unknown token'}}));
	const {stopped} = await uploadLines(lines('1'), {client: service.client, datamartId: '1'});
	t.deepEqual(stopped, {reason: 'the service answered 401: unknown token', line: 1});
	t.is(service.calls.length, 1);
});

test('with several requests under way the last batch still goes alone, after all others', async t => {
	let open = 0;
	let openAtLast = -1;
	const service = new ScriptedService(async sent => {
		open++;
		if (sent.includes('7')) openAtLast = open;
		await new Promise(resolve => setTimeout(resolve, 20));
		open--;
		return accepted(sent);
	});
	const texts = ['1', '2', '3', '4', '5', '6', '7'];
	const result = await uploadLines(lines(...texts), {
		client: service.client,
		datamartId: '1',
		size: SMALL,
		inFlight: 3,
	});
	t.is(result.accepted, 7);
	t.is(openAtLast, 1);
});
