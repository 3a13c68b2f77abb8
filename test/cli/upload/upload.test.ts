import test from 'ava';
import {type Answer, Api, Unreachable} from '../../../src/cli/api.ts';
import type {Line} from '../../../src/cli/upload/lines.ts';
import {uploadLines} from '../../../src/cli/upload/upload.ts';

interface Call {
	readonly path: string;
	readonly bodies: readonly unknown[];
	readonly key: string;
}

/** Stands for the service: answers each posted body by a rule, and remembers what came. */
class ScriptedApi extends Api {
	readonly calls: Call[] = [];
	readonly #answer: (lines: string[], call: number) => Answer | Promise<Answer>;

	constructor(answer: (lines: string[], call: number) => Answer | Promise<Answer> = accepted) {
		super({url: 'http://service.example'});
		this.#answer = answer;
	}

	override async post(path: string, body: string, headers: Record<string, string>): Promise<Answer> {
		const lines = body.split('\n');
		this.calls.push({path, bodies: lines, key: headers['idempotency-key'] ?? ''});
		return this.#answer(lines, this.calls.length);
	}
}

function accepted(lines: string[]): Answer {
	return {status: 200, body: {data: {records: lines.map((_, index) => ({index, result: 'accepted'}))}}};
}

async function* lines(...texts: string[]): AsyncGenerator<Line> {
	for (const [index, text] of texts.entries()) yield {number: index + 1, text};
}

const SMALL = {maxLines: 2, maxLength: 1000};

test('lines arrive in the order of the file, and only the last batch waits until all can be asked for', async t => {
	const api = new ScriptedApi();
	const result = await uploadLines(lines('1', '2', '3', '4', '5'), {api, datamartId: '7', size: SMALL});
	t.deepEqual(
		api.calls.map(({bodies}) => bodies),
		[['1', '2'], ['3', '4'], ['5']],
	);
	t.deepEqual(
		api.calls.map(({path}) => path),
		['', '', '?async=false'].map(query => `/v1/datamarts/7/user_activities${query}`),
	);
	t.like(result, {lines: 5, accepted: 5, rejected: 0, stopped: undefined});
});

test('a batch is no longer than a body may be', async t => {
	const api = new ScriptedApi();
	const text = '"0123456789"';
	await uploadLines(lines(text, text, text), {api, datamartId: '1', size: {maxLines: 100, maxLength: 25}});
	t.deepEqual(
		api.calls.map(({bodies}) => bodies.length),
		[2, 1],
	);
});

test('every batch of a run has a key of its own, equal lines or not', async t => {
	const api = new ScriptedApi();
	await uploadLines(lines('1', '1', '1', '1'), {api, datamartId: '1', size: SMALL});
	t.is(new Set(api.calls.map(({key}) => key)).size, 2);
});

test('a rejected line is named by its number in the file and the field that is wrong', async t => {
	const api = new ScriptedApi(() => ({
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
	const result = await uploadLines(lines('1', '2'), {api, datamartId: '1'});
	t.like(result, {accepted: 0, duplicates: 1, rejected: 1});
	t.deepEqual(result.rejections, [{line: 2, pointer: '/$events/0/$ts', message: 'expected number'}]);
});

test('one line that is not JSON costs only itself, though the service refuses a body that holds it', async t => {
	const api = new ScriptedApi(sent =>
		sent.includes('{oops')
			? {status: 400, body: {error: 'line 2', error_code: 'json_malformed'}}
			: accepted(sent),
	);
	const result = await uploadLines(lines('1', '{oops', '3'), {api, datamartId: '1'});
	t.deepEqual(api.calls.at(-1)?.bodies, ['1', '3']);
	t.is(result.accepted, 2);
	t.like(result.rejections[0], {line: 2, pointer: ''});
	t.regex(result.rejections[0]!.message, /^not valid JSON/);
});

test('where every line of a batch is bad, each is told with its own fault', async t => {
	const api = new ScriptedApi(() => ({
		status: 400,
		body: {error: 'no record is valid', errors: [{pointer: '/1/$type', message: 'is needed'}]},
	}));
	const {rejections} = await uploadLines(lines('{}', '{}'), {api, datamartId: '1'});
	t.deepEqual(rejections, [
		{line: 1, pointer: '', message: 'no record is valid'},
		{line: 2, pointer: '/$type', message: 'is needed'},
	]);
});

test('where nothing of the last batch is good, the last request that was taken goes again under its key and waits', async t => {
	const api = new ScriptedApi(sent =>
		sent.includes('{}') ? {status: 400, body: {error: 'no record is valid'}} : accepted(sent),
	);
	const result = await uploadLines(lines('1', '2', '3', '4', '{}'), {api, datamartId: '1', size: SMALL});
	t.deepEqual(
		api.calls.map(({bodies}) => bodies),
		[['1', '2'], ['3', '4'], ['{}'], ['3', '4']],
	);
	t.true(api.calls[3]?.path.endsWith('?async=false'));
	t.is(api.calls[3]?.key, api.calls[1]?.key);
	t.like(result, {lines: 5, accepted: 4, rejected: 1, stopped: undefined});
});

test('the same where only the second half of a last batch that was too large is bad', async t => {
	const api = new ScriptedApi(sent => {
		if (sent.length > 1) return {status: 413, body: {error: 'too large'}};
		return sent[0] === '{}' ? {status: 400, body: {error: 'no record is valid'}} : accepted(sent);
	});
	await uploadLines(lines('1', '{}'), {api, datamartId: '1'});
	const [, first, , again] = api.calls;
	t.deepEqual(again, {...first!, path: `${first!.path}?async=false`});
	t.is(api.calls.length, 4);
});

test('where nothing at all is good, nobody is waited for', async t => {
	const api = new ScriptedApi(() => ({status: 400, body: {error: 'no record is valid'}}));
	t.like(await uploadLines(lines('{}'), {api, datamartId: '1'}), {rejected: 1, stopped: undefined});
	t.is(api.calls.length, 1);
});

test('a batch that is too large for the service is sent in halves, in order', async t => {
	const api = new ScriptedApi(sent =>
		sent.length > 1 ? {status: 413, body: {error: 'too large'}} : accepted(sent),
	);
	const result = await uploadLines(lines('1', '2', '3'), {api, datamartId: '1'});
	t.is(result.accepted, 3);
	t.deepEqual(
		api.calls.filter(({bodies}) => bodies.length === 1).map(({bodies}) => bodies[0]),
		['1', '2', '3'],
	);
});

test('an upload stops at the first batch that fails and says from which line on nothing is known', async t => {
	const api = new ScriptedApi((sent, call) => {
		if (call === 2) throw new Unreachable('gone');
		return accepted(sent);
	});
	const result = await uploadLines(lines('1', '2', '3', '4', '5'), {api, datamartId: '1', size: SMALL});
	t.is(api.calls.length, 2);
	t.like(result, {lines: 2, accepted: 2, stopped: {reason: 'gone', line: 3}});
});

test('a wrong token is told, not tried again', async t => {
	const api = new ScriptedApi(() => ({status: 401, body: {error: 'unknown token'}}));
	const {stopped} = await uploadLines(lines('1'), {api, datamartId: '1'});
	t.deepEqual(stopped, {reason: 'the service answered 401: unknown token', line: 1});
	t.is(api.calls.length, 1);
});

test('with several requests under way the last batch still goes alone, after all others', async t => {
	let open = 0;
	let openAtLast = -1;
	const api = new ScriptedApi(async sent => {
		open++;
		if (sent.includes('7')) openAtLast = open;
		await new Promise(resolve => setTimeout(resolve, 20));
		open--;
		return accepted(sent);
	});
	const texts = ['1', '2', '3', '4', '5', '6', '7'];
	const result = await uploadLines(lines(...texts), {api, datamartId: '1', size: SMALL, inFlight: 3});
	t.is(result.accepted, 7);
	t.is(openAtLast, 1);
});
