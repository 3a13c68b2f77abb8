import anyTest, {type TestFn} from 'ava';
import {acceptMany} from '../../../src/ingestion/user-activities/accept.ts';
import type {AnalyzerLink} from '../../../src/plugins/channel-links/analyzer-links.ts';
import type {ErrorRecoveryStrategy} from '../../../src/plugins/instances/instances.ts';
import {createWorkerClient} from '../../../src/plugins/worker-client/worker-client.ts';
import {
	type AnalyzerWorker,
	type Answering,
	cutShort,
	hang,
	send,
	startAnalyzerWorker,
	status,
} from '../../support/analyzer-worker.ts';
import {analyzerAt, analyzersOf, channelNumber} from '../../support/analyzers.ts';
import {allFacts, keptActivities} from '../../support/facts.query.ts';
import {datamartNumber, directoryOf, incoming, startTestIngestion} from '../../support/ingestion.ts';
import {startSharedPostgres, type TestPostgres} from '../../support/postgres.ts';
import {startSharedWarehouse, type TestWarehouse} from '../../support/warehouse.ts';

const test = anyTest as TestFn<{postgres: TestPostgres; store: TestWarehouse; worker: AnalyzerWorker}>;

test.before(async t => {
	const [postgres, store, worker] = await Promise.all([
		startSharedPostgres(),
		startSharedWarehouse(),
		startAnalyzerWorker(),
	]);
	t.context = {postgres, store, worker};
});
test.after.always(async t => {
	const {postgres, store, worker} = t.context;
	await Promise.all([postgres?.stop(), store?.stop(), worker?.close()]);
});

const LENGTH = 5;
const STRATEGIES: readonly ErrorRecoveryStrategy[] = [
	'STORE_WITH_ERROR_ID',
	'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS',
	'DROP',
];

/** Adds its own number to the trail that the activity and its first event carry. */
const goodAnswer: Answering = ({body}, response) => {
	const {activity_analyzer_id: id, activity} = body;
	const [event] = activity.$events;
	send(response, 200, {
		status: 'ok',
		data: {
			...activity,
			trail: [...activity.trail, id],
			$events: [{...event, $properties: {...event.$properties, seen_by: id}}],
		},
	});
};

const changedIdentifiers: Answering = ({body}, response) =>
	send(response, 200, {
		status: 'ok',
		data: {
			...body.activity,
			trail: ['evil'],
			$user_identifiers: [{$type: 'USER_AGENT', $user_agent_id: 'vec:somebody-else'}],
		},
	});

/** What may happen to a call; `busy twice` is no failure. */
const HAPPENINGS: Readonly<Record<string, Answering | 'refused'>> = {
	'error status': ({body}, response) => send(response, 200, {status: 'error', data: body.activity}),
	'500': status(500),
	timeout: hang,
	refused: 'refused',
	'reset mid-body': cutShort,
	'invalid JSON': status(200, '{"status":"ok","data":{'),
	'wrong shape': status(200, '"a string"'),
	'null data': status(200, {status: 'ok', data: null}),
	'no valid activity': ({body}, response) =>
		send(response, 200, {status: 'ok', data: {...body.activity, $events: [{$ts: 'yesterday'}]}}),
	'changed identifiers': changedIdentifiers,
	'busy twice': goodAnswer,
};

interface Case {
	readonly number: number;
	readonly position: number;
	readonly happening: string;
	readonly strategy: ErrorRecoveryStrategy;
}

const CASES: readonly Case[] = Array.from({length: LENGTH}, (_, index) => index + 1)
	.flatMap(position =>
		Object.keys(HAPPENINGS).flatMap(happening =>
			STRATEGIES.map(strategy => ({position, happening, strategy})),
		),
	)
	.map((each, index) => ({...each, number: index + 1}));

const analyzerId = (number: number, position: number) => number * 10 + position;

/** What the specification demands to be stored; undefined: nothing. */
function demanded({number, position, happening, strategy}: Case) {
	const ids = Array.from({length: LENGTH}, (_, index) => String(analyzerId(number, index + 1)));
	if (happening === 'busy twice') return {trail: ids, hasError: false};
	if (strategy === 'DROP') return undefined;
	const before = ids.slice(0, position - 1);
	const skips = strategy === 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS';
	return {trail: skips ? before : [...before, ...ids.slice(position)], hasError: true};
}

interface StoredActivity {
	readonly case_number: number;
	readonly trail: readonly string[];
	readonly processed_by?: string;
	readonly $error_analyzer_id?: string;
	readonly $user_identifiers: readonly {readonly $user_agent_id: unknown}[];
	readonly $events: readonly {
		readonly processed_by?: string;
		readonly $error_analyzer_id?: string;
		readonly $properties: {readonly seen_by?: string};
	}[];
}

test('whatever fails, wherever in the chain, whatever its strategy: what is stored is what the specification demands', async t => {
	t.timeout(120_000);
	const {worker, postgres, store} = t.context;
	const datamart = datamartNumber(1);
	const calls = new Map<number, number>();
	const byAnalyzer = new Map<number, Case>();
	worker.answer((request, response) => {
		const id = Number(request.body.activity_analyzer_id);
		const count = (calls.get(id) ?? 0) + 1;
		calls.set(id, count);
		const happening = byAnalyzer.get(id)?.happening;
		if (happening === 'busy twice' && count <= 2) return send(response, 429, {status: 'RETRY'});
		const answering = happening === undefined ? goodAnswer : HAPPENINGS[happening];
		if (answering !== 'refused') answering?.(request, response);
	});
	const closed = await startAnalyzerWorker();
	await closed.close();

	const chains = new Map<number, readonly AnalyzerLink[]>();
	for (const each of CASES) {
		const links = Array.from({length: LENGTH}, (_, index) => {
			const id = analyzerId(each.number, index + 1);
			const isTheOne = index + 1 === each.position;
			if (isTheOne) byAnalyzer.set(id, each);
			const isRefused = isTheOne && each.happening === 'refused';
			return analyzerAt(isRefused ? closed.url : worker.url, id, {
				strategy: isTheOne ? each.strategy : 'STORE_WITH_ERROR_ID',
			});
		});
		chains.set(each.number, links);
	}
	const directory = directoryOf(
		[datamart],
		CASES.map(({number}) => channelNumber(number, datamart.id)),
	);
	const client = createWorkerClient({allowedNetworks: ['127.0.0.1']});
	t.teardown(() => client.close());
	const ingestion = await startTestIngestion(t, {
		database: postgres.database,
		warehouse: store.warehouse,
		analyzers: analyzersOf(chains, directory, call => client.callWorker({...call, deadlineMs: 8_000})),
	});

	const noted = {arrivals: [], found: []};
	const {lastArrival} = await acceptMany(
		{...ingestion, directory},
		{datamart, userAgent: '', noted},
		incoming(
			CASES.map(({number}) => ({
				$type: 'SITE_VISIT',
				$ts: 1_700_000_000_000 + number,
				$site_id: String(number),
				$user_identifiers: [{$type: 'USER_AGENT', $user_agent_id: `vec:case${number}`}],
				$events: [{$event_name: '$page_view', $properties: {}}],
				case_number: number,
				trail: [],
			})),
		),
	);
	await ingestion.whenQueryable(lastArrival, noted);

	const {rows} = await store.warehouse.read(keptActivities, datamart.id);
	const stored = rows.map(row => JSON.parse(row.activity) as StoredActivity);
	const facts = (await store.warehouse.read(allFacts, datamart.id)).rows;
	t.is(CASES.length, 165);
	for (const each of CASES) {
		const title = `position ${each.position}, ${each.happening}, ${each.strategy}`;
		const found = stored.filter(activity => activity.case_number === each.number);
		const wanted = demanded(each);
		const rowsOfCase = facts.filter(row => row.channel_id === String(each.number));
		t.is(found.length, wanted ? 1 : 0, title);
		t.is(rowsOfCase.length, wanted ? 1 : 0, `${title}: facts`);
		const [activity] = found;
		if (!activity || !wanted) continue;
		const [event] = activity.$events;
		t.deepEqual(activity.trail, wanted.trail, `${title}: who changed it`);
		t.is(activity.processed_by, wanted.trail.at(-1), `${title}: processed_by`);
		t.is(event?.processed_by, wanted.trail.at(-1), `${title}: processed_by of the event`);
		t.is(event?.$properties.seen_by, wanted.trail.at(-1), `${title}: the change of the last`);
		t.is(activity.$error_analyzer_id !== undefined, wanted.hasError, `${title}: an error id`);
		t.is(event?.$error_analyzer_id, activity.$error_analyzer_id, `${title}: error id of the event`);
		if (wanted.hasError) t.regex(activity.$error_analyzer_id!, /^[0-9a-f-]{36}$/, title);
		// A reference stands where the identifier was: it was resolved, as the one that came.
		t.is(typeof activity.$user_identifiers[0]?.$user_agent_id, 'number', title);
	}
	const somebody = facts.filter(row => row.user_point_id === '0');
	t.is(somebody.length, 0);
	for (const each of CASES) {
		const count = calls.get(analyzerId(each.number, each.position)) ?? 0;
		const expected = each.happening === 'busy twice' ? 3 : each.happening === 'refused' ? 0 : 1;
		t.is(count, expected, `${each.happening}: nothing but a busy worker is asked again`);
	}
});
