import {setImmediate as turn} from 'node:timers/promises';
import test from 'ava';
import {type QuestionLimits, Questions, type VersionOf} from '../../../src/analytics/questions/questions.ts';
import {DomainError} from '../../../src/errors.ts';
import type {Role, UserPrincipal} from '../../../src/identity/principal.ts';
import {type Datamart, tenantView} from '../../../src/tenants/directory.ts';
import type {Answer, Asked, Attempt} from '../../../src/warehouse/warehouse.ts';

const LIMITS: QuestionLimits = {
	atOnce: {light: 3, heavy: 2},
	perCaller: 4,
	maxWaiting: 5,
	maxWaitMs: 60_000,
	deadlineMs: 1000,
	maxMemoryBytes: 1000,
	maxCacheBytes: 100_000,
};
const directory = tenantView({organisations: [], datamarts: [], compartments: [], channels: []});
const datamart = {id: 7, organisationId: 1, communityId: 1} as Datamart;

function person(userId: number, role: Role = 'READER'): UserPrincipal {
	return {
		kind: 'user',
		userId,
		credential: 'access_token',
		credentialId: String(userId),
		communityId: 1,
		roles: [{organisationId: 1, communityId: 1, role}],
	};
}

function asked(value: string): Asked {
	const footprint = {datamartId: 7, fromMs: 0, untilMs: 1};
	return {name: 'test.rows', lane: 'heavy', text: 'SELECT {a:String}', params: {a: value}, footprint};
}

function answer(value: unknown, bytes = 10): Answer {
	return {data: [value], bytes, statistics: {rowsRead: 1, bytesRead: 1, elapsedMs: 1}, queryId: 'x'};
}

/** An engine whose attempts end when the test says so. */
class Engine {
	readonly attempts: {signal: AbortSignal; queryId: string; end: (value: unknown) => void}[] = [];
	readonly attempt: Attempt = ({signal, queryId}) =>
		new Promise((resolve, reject) => {
			signal.addEventListener('abort', () => reject(signal.reason));
			this.attempts.push({signal, queryId, end: value => resolve(answer(value))});
		});
}

function asker(principal = person(1)) {
	const headers: Record<string, string> = {};
	const gone = new AbortController();
	const setHeader = (name: string, value: string) => {
		headers[name] = value;
	};
	return {headers, gone, asker: {principal, datamart, signal: gone.signal, setHeader}};
}

function service(versionOf?: VersionOf) {
	const outcomes: string[] = [];
	const meters = {asked: (_: string, outcome: string) => void outcomes.push(outcome)};
	return {
		outcomes,
		questions: new Questions({limits: LIMITS, directory, meters, ...(versionOf && {versionOf})}),
	};
}

test('equal questions over unchanged data are put once, and the answer says how old it is', async t => {
	let version = '1';
	const {questions, outcomes} = service(async () => version);
	const engine = new Engine();
	const ask = async (value = 'a') => {
		const {headers, asker: who} = asker();
		const coming = questions.readFor(who).through!(asked(value), engine.attempt);
		await turn();
		await turn();
		engine.attempts.at(-1)?.end(`${value}${engine.attempts.length}`);
		return {data: (await coming).data, headers};
	};
	const [first, second] = [await ask(), await ask()];
	t.deepEqual([first.data, second.data], [['a1'], ['a1']]);
	t.is(first.headers.Age, undefined);
	t.is(second.headers.Age, '0');
	t.is(second.headers['X-Data-Version'], '1');
	t.not(first.headers['X-Query-Id'], second.headers['X-Query-Id']);
	t.deepEqual((await ask('b')).data, ['b2'], 'another value is another question');
	version = '2';
	t.deepEqual((await ask()).data, ['a3'], 'another version is another answer');
	t.deepEqual(outcomes, ['answered', 'cached', 'answered', 'answered']);
});

test('while data is being written nothing is kept and nothing is shared', async t => {
	const {questions} = service(async () => undefined);
	const engine = new Engine();
	const both = [1, 2].map(user =>
		questions.readFor(asker(person(user)).asker).through!(asked('a'), engine.attempt),
	);
	await turn();
	await turn();
	t.is(engine.attempts.length, 2);
	for (const each of engine.attempts) each.end('x');
	await Promise.all(both);
});

test('a version that cannot be read keeps nobody from asking', async t => {
	const {questions} = service(async () => Promise.reject(new DomainError('store_unavailable', 'away')));
	const {asker: who} = asker();
	const through = questions.readFor(who).through!;
	t.deepEqual((await through(asked('a'), async () => answer('x'))).data, ['x']);
});

test('an attempt is shared; who leaves it leaves it to the others, and the last one ends it', async t => {
	const {questions} = service(async () => '1');
	const engine = new Engine();
	const people = [1, 2, 3].map(user => asker(person(user)));
	const answers = people.map(({asker: who}) => questions.readFor(who).through!(asked('a'), engine.attempt));
	await turn();
	await turn();
	t.is(engine.attempts.length, 1);
	people[0]!.gone.abort(new Error('gone'));
	await t.throwsAsync(answers[0]!, {message: 'gone'});
	t.false(engine.attempts[0]!.signal.aborted);
	t.is(questions.count('running', 'heavy'), 1, 'its slot is taken as long as it runs');
	people[1]!.gone.abort(new Error('gone as well'));
	await t.throwsAsync(answers[1]!, {message: 'gone as well'});
	people[2]!.gone.abort(new Error('last'));
	await t.throwsAsync(answers[2]!, {message: 'last'});
	t.true(engine.attempts[0]!.signal.aborted);
	await turn();
	t.is(questions.count('running', 'heavy'), 0);
});

test('an error is nobody’s answer later', async t => {
	const {questions} = service(async () => '1');
	const through = questions.readFor(asker().asker).through!;
	const failing: Attempt = async () => Promise.reject(new DomainError('query_timed_out', 'late'));
	await t.throwsAsync(through(asked('a'), failing), {message: 'late'});
	t.deepEqual((await through(asked('a'), async () => answer('x'))).data, ['x']);
});

test('a query is seen and cancelled by its id, by nobody but its caller and administrators', async t => {
	const {questions, outcomes} = service();
	const engine = new Engine();
	const {asker: who, headers} = asker();
	const coming = questions.readFor(who).through!(asked('a'), engine.attempt);
	await turn();
	const id = headers['X-Query-Id']!;
	t.deepEqual(
		questions.visibleTo(person(1)).map(each => [each.id, each.name, each.isWaiting]),
		[[id, 'test.rows', false]],
	);
	t.is(engine.attempts[0]!.queryId, id);
	t.deepEqual(questions.visibleTo(person(2)), []);
	t.throws(() => questions.get(person(2), id), {message: 'Resource Not Found'});
	questions.get(person(1), id).cancel();
	await t.throwsAsync(coming, {instanceOf: DomainError, message: /cancelled/});
	t.true(engine.attempts[0]!.signal.aborted);
	t.deepEqual(questions.visibleTo(person(1)), []);
	t.deepEqual(outcomes, ['query_cancelled']);
});

test('several statements of one request have ids of their own under the same question', async t => {
	const {questions} = service();
	const engine = new Engine();
	const {asker: who, headers} = asker();
	const {through} = questions.readFor(who);
	const light = {...asked('a'), lane: 'light' as const};
	const both = [through!(light, engine.attempt), through!(light, engine.attempt)];
	await turn();
	const id = headers['X-Query-Id'];
	t.deepEqual(
		engine.attempts.map(each => each.queryId),
		[id, `${id}-2`],
	);
	t.is(questions.visibleTo(person(1)).length, 1);
	for (const each of engine.attempts) each.end('x');
	await Promise.all(both);
	t.is(questions.visibleTo(person(1)).length, 0);
});

test('kept answers stay within their bytes, the least used go first, and a huge one is not kept', async t => {
	const {questions} = service(async () => '1');
	const through = questions.readFor(asker().asker).through!;
	let attempts = 0;
	const ask = (value: string, bytes = 1000) =>
		through(asked(value), async () => {
			attempts += 1;
			return answer(value, bytes);
		});
	for (let i = 0; i < 40; i++) {
		await ask(`v${i}`);
		await ask('v0');
	}
	t.true(questions.cacheBytes > 50_000 && questions.cacheBytes <= LIMITS.maxCacheBytes);
	t.is(attempts, 40);
	await ask('v1');
	t.is(attempts, 41, 'long unused');
	await ask('huge', 90_000);
	await ask('huge', 90_000);
	t.is(attempts, 43);
	await ask('v0');
	t.is(attempts, 43);
});
