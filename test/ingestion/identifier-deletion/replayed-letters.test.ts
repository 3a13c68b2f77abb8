import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import {
	type DeadLettersContext,
	listDeadLetters,
	readDeadLetter,
	replayDeadLetter,
} from '../../../src/ingestion/dead-letters/dead-letters.ts';
import type {NewRecord} from '../../../src/ingestion/journal/journal.ts';
import type {Identifier} from '../../../src/ingestion/user-points/identifiers.ts';
import {allFacts, keptActivities} from '../../support/facts.query.ts';
import {datamartNumber, directoryOf, startTestIngestion} from '../../support/ingestion.ts';
import {startSharedPostgres, type TestPostgres} from '../../support/postgres.ts';
import {startSharedWarehouse, type TestWarehouse} from '../../support/warehouse.ts';

interface Stores {
	readonly postgres: TestPostgres;
	readonly store: TestWarehouse;
}

const test = anyTest as TestFn<Stores>;
const RECEIVED = 1_700_000_000_000;
const PAGE = {firstResult: 0, maxResults: 50};
const agent = (text: string): Identifier => ({kind: 'USER_AGENT', compartmentId: undefined, text});

test.before(async t => {
	const [postgres, store] = await Promise.all([startSharedPostgres(), startSharedWarehouse()]);
	t.context = {postgres, store};
});
test.after.always(async t => {
	await Promise.all([t.context.postgres?.stop(), t.context.store?.stop()]);
});

let lastDatamart = 0;

/** A datamart where somebody is known by two identifiers, and a letter of theirs lies that no rows could be made of. */
async function world(t: ExecutionContext<Stores>) {
	const {database} = t.context.postgres;
	const {warehouse} = t.context.store;
	const datamart = datamartNumber(++lastDatamart);
	const secret = `vec:secret-${datamart.id}-${'8c1d5a0e77f94b6e'.repeat(2)}`;
	const ingestion = await startTestIngestion(t, {database, warehouse});
	const {journal, replays, deadLetters: letters, userPoints, identifierDeletion} = ingestion;
	const context: DeadLettersContext = {letters, directory: directoryOf([datamart]), journal, replays};
	const visit = (ts: number) => ({
		$type: 'SITE_VISIT',
		$ts: ts,
		$user_identifiers: ['vec:stays', secret].map(id => ({$type: 'USER_AGENT', $user_agent_id: id})),
	});
	const record = (activity: object, receivedMs = RECEIVED): NewRecord => ({
		datamartId: datamart.id,
		defaultCompartmentId: 1,
		receivedMs,
		rows: 1,
		userAgent: '',
		body: Buffer.from(JSON.stringify(activity)),
	});
	const store = async (...records: NewRecord[]) =>
		ingestion.whenQueryable((await journal.append(records)).at(-1)!);
	await store(record(visit(RECEIVED)), record(visit(-5)));
	const [letter] = (await listDeadLetters({letters}, datamart, undefined, PAGE)).items;
	const {userPointId} = (await userPoints.find(datamart.id, agent(secret)))!;
	return {
		datamart,
		secret,
		ingestion,
		context,
		letter: {datamart, id: letter!.id},
		poison: record(visit(-5)),
		/** As somebody corrects it who had read it before the deletion. */
		corrected: Buffer.from(JSON.stringify(visit(RECEIVED + 1))),
		owner: userPointId,
		find: (text: string) => userPoints.find(datamart.id, agent(text)),
		remove: () =>
			identifierDeletion.remove(
				datamart.id,
				Buffer.from(userPoints.keyOf(agent(secret)), 'hex'),
				async () => {},
			),
		clearTraces: () => identifierDeletion.clearTraces(datamart.id, new AbortController().signal),
		rowsOf: async () => (await warehouse.read(allFacts, datamart.id)).rows,
		kept: async () => JSON.stringify((await warehouse.read(keptActivities, datamart.id)).rows),
		journalHas: (text: string) =>
			readdirSync(ingestion.journalDirectory)
				.filter(name => name.endsWith('.journal'))
				.some(name => readFileSync(join(ingestion.journalDirectory, name)).includes(text)),
		visitNow: (text: string) =>
			store(record({$type: 'SITE_VISIT', $ts: Date.now(), $user_agent_id: text}, Date.now() + 1_000)),
	};
}

test('a letter that is replayed after its identifier was deleted counts for the old user point and brings nothing back', async t => {
	const {context, letter, corrected, secret, owner, ...it} = await world(t);
	await it.remove();
	await it.clearTraces();
	t.false((await readDeadLetter(context, letter)).text.includes(secret), 'the letter itself has lost it');
	const arrival = await replayDeadLetter(context, letter, corrected);
	await it.ingestion.whenQueryable(arrival);
	t.is(await it.find(secret), undefined);
	t.is((await it.find('vec:stays'))?.userPointId, owner);
	t.deepEqual([...new Set((await it.rowsOf()).map(row => Number(row.user_point_id)))], [owner]);
	t.is((await it.rowsOf()).length, 2);
	t.false((await it.kept()).includes(secret));
	await it.visitNow(secret);
	t.not((await it.find(secret))?.userPointId, owner, 'what comes later is somebody new');
});

test('a replay that read its letter before a deletion and writes it behind is waited for: nothing is left of it', async t => {
	const {context, letter, corrected, secret, owner, ...it} = await world(t);
	t.true(it.journalHas(secret), 'the search finds what is there');
	let goOn = () => {};
	let reached = () => {};
	const held = new Promise<void>(resolve => {
		goOn = resolve;
	});
	const atJournal = new Promise<void>(resolve => {
		reached = resolve;
	});
	const {journal} = context;
	const slow: DeadLettersContext = {
		...context,
		journal: {
			async append(records) {
				reached();
				await held;
				return journal.append(records);
			},
		},
	};
	const replaying = replayDeadLetter(slow, letter, corrected);
	await atJournal;
	await it.remove();
	const clearing = it.clearTraces();
	let isOver = false;
	void clearing.then(() => {
		isOver = true;
	});
	// Until it has nothing left to do but to wait for the replay.
	for (const until = Date.now() + 30_000; it.journalHas(secret) && Date.now() < until; ) {
		await new Promise(resolve => setTimeout(resolve, 20));
	}
	t.false(isOver, 'the deletion is not over while a replay may still write');
	goOn();
	await it.ingestion.whenQueryable(await replaying);
	await clearing;
	t.false(it.journalHas(secret));
	t.is(await it.find(secret), undefined);
	t.deepEqual([...new Set((await it.rowsOf()).map(row => Number(row.user_point_id)))], [owner]);
	t.is((await it.rowsOf()).length, 2, 'and it is there once');
	t.false((await it.kept()).includes(secret));
});

test('a replay that was in the journal before the deletion and fails again is a letter without the identifier', async t => {
	const {context, letter, poison, secret, ...it} = await world(t);
	await it.remove();
	const [arrival] = await context.journal.append([{...poison, replay: {letterId: letter.id}}]);
	await it.ingestion.whenQueryable(arrival!);
	const {items} = await listDeadLetters({letters: context.letters}, letter.datamart, undefined, PAGE);
	t.deepEqual(
		items.map(({id, reason}) => ({isNew: id !== letter.id, reason})),
		[{isNew: true, reason: 'facts_failed'}],
	);
	const {text} = await readDeadLetter(context, {datamart: letter.datamart, id: items[0]!.id});
	t.false(text.includes(secret));
	t.true(text.includes('vec:stays'));
	t.is(await it.find(secret), undefined);
});
