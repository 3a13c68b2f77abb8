import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import {DomainError} from '../../../src/errors.ts';
import {
	type DeadLettersContext,
	listDeadLetters,
	readDeadLetter,
	replayDeadLetter,
} from '../../../src/ingestion/dead-letters/dead-letters.ts';
import type {NewRecord} from '../../../src/ingestion/journal/journal.ts';
import type {Warehouse} from '../../../src/warehouse/warehouse.ts';
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
const PAGE = {firstResult: 0, maxResults: 500};

test.before(async t => {
	const [postgres, store] = await Promise.all([startSharedPostgres(), startSharedWarehouse()]);
	t.context = {postgres, store};
	const {warehouse} = store;
	// What this warehouse does not take, as a stricter column type of tomorrow would not.
	await warehouse.command("ALTER TABLE fact_rows_v1 ADD CONSTRAINT poison CHECK event_type != 'poison'");
	await warehouse.command("ALTER TABLE activities_v1 ADD CONSTRAINT venom CHECK activity NOT LIKE '%venom%'");
});
test.after.always(async t => {
	await Promise.all([t.context.postgres?.stop(), t.context.store?.stop()]);
});

let lastDatamart = 0;

function visit(agent: string, event = 'view', more: object = {}): object {
	return {
		$type: 'SITE_VISIT',
		$ts: RECEIVED,
		$user_agent_id: `vec:${agent}`,
		$events: [{$event_name: event}, {$event_name: 'leave'}],
		...more,
	};
}

/** A journal that is told records no door would let in, over the file's engines. */
async function world(t: ExecutionContext<Stores>, wrap = (warehouse: Warehouse) => warehouse) {
	const {database} = t.context.postgres;
	const {warehouse} = t.context.store;
	const datamart = datamartNumber(++lastDatamart);
	const directory = directoryOf([datamart]);
	const ingestion = await startTestIngestion(t, {database, warehouse: wrap(warehouse)});
	const {journal, replays, deadLetters} = ingestion;
	const context: DeadLettersContext = {letters: deadLetters, directory, journal, replays};
	const record = (activity: object | string, rows = 2): NewRecord => ({
		datamartId: datamart.id,
		defaultCompartmentId: datamart.id * 10,
		receivedMs: RECEIVED,
		rows,
		userAgent: '',
		body: Buffer.from(typeof activity === 'string' ? activity : JSON.stringify(activity)),
	});
	return {
		database,
		datamart,
		ingestion,
		context,
		append: (...activities: (object | string)[]) =>
			journal.append(activities.map(activity => record(activity))),
		letters: () => listDeadLetters(context, datamart, undefined, PAGE),
		facts: async () => (await warehouse.read(allFacts, datamart.id)).rows,
		activities: async () => (await warehouse.read(keptActivities, datamart.id)).rows,
	};
}

function people(count: number): object[] {
	return Array.from({length: count}, (_, index) => visit(`p${index}`));
}

test.serial(
	'a record that the warehouse refuses, among two thousand, becomes a letter; replayed, it stands where it would have stood',
	async t => {
		const {append, ingestion, context, datamart, letters, facts, activities} = await world(t);
		const poison = visit('p999', 'poison');
		const arrivals = await append(...people(1_000), poison, ...people(1_000));
		await ingestion.whenQueryable(arrivals.at(-1)!);
		t.is((await facts()).length, 4_000);
		t.is((await activities()).length, 2_000);

		const {items, total} = await letters();
		t.is(total, 1);
		t.like(items[0], {reason: 'rows_refused', receivedMs: RECEIVED});
		t.regex(items[0]!.message, /^write to fact_rows_v1 failed/);
		const {id} = items[0]!;
		const opened = await readDeadLetter(context, {datamart, id});
		t.deepEqual(JSON.parse(opened.text), poison);
		t.deepEqual(opened.faults, [], 'no door would have known');

		const corrected = Buffer.from(JSON.stringify(visit('p999', 'cured')));
		await ingestion.whenQueryable(await replayDeadLetter(context, {datamart, id}, corrected));
		const cured = (await facts()).filter(row => row.event_type === 'cured');
		t.is(cured.length, 1);
		t.is(Number(cured[0]!.arrival), arrivals[1_000]!, 'it keeps its stamp');
		t.is(Number(cured[0]!.received_ms), RECEIVED);
		t.is((await facts()).length, 4_002);
		t.is((await activities()).length, 2_001);
		t.is((await letters()).total, 0);
		await t.throwsAsync(replayDeadLetter(context, {datamart, id}, corrected), {code: 'dead_letter_replayed'});
	},
);

test.serial(
	'a record of which one table takes its rows and the other does not leaves nothing behind in either',
	async t => {
		const {append, ingestion, context, datamart, letters, facts, activities} = await world(t);
		const arrivals = await append(...people(20), visit('v', 'view', {note: 'venom'}), ...people(20));
		await ingestion.whenQueryable(arrivals.at(-1)!);
		t.is((await facts()).length, 80);
		t.is((await activities()).length, 40);

		const {id} = (await letters()).items[0]!;
		const corrected = Buffer.from(JSON.stringify(visit('v', 'view', {note: 'remedy'})));
		await ingestion.whenQueryable(await replayDeadLetter(context, {datamart, id}, corrected));
		t.is((await facts()).length, 82);
		t.is((await activities()).filter(({activity}) => activity.includes('remedy')).length, 1);
	},
);

test.serial(
	'texts that are no activities, and activities no facts can be made of, become letters with their reason',
	async t => {
		const {append, ingestion, letters, facts, database, datamart} = await world(t);
		const secret = 'vec:9f1c2b7ad4e34410';
		const arrivals = await append(
			visit('a'),
			`{"$user_agent_id": ${secret}`,
			'"only a text"',
			visit('x', 'view', {$ts: -5}),
			visit('y', 'view', {$session_duration: 1e30}),
			visit('z', 'view', {$user_account_id: 'z', $compartment_id: 'none'}),
			`{"$type": "SITE_VISIT", "$user_agent_id": "${secret}", "$events": [{"$event_name": "view", "$ts": -5}]}`,
			visit('b'),
		);
		await ingestion.whenQueryable(arrivals.at(-1)!);
		t.is((await facts()).length, 4);
		const {items} = await letters();
		t.deepEqual(items.map(({reason}) => reason).sort(), [
			'facts_failed',
			'facts_failed',
			'facts_failed',
			'unreadable',
			'unreadable',
			'unreadable',
		]);
		const rows = await database.run(sql => sql('dead_letters').where({datamart_id: datamart.id}));
		t.is(rows.length, 6);
		t.false(JSON.stringify(rows, bytesAsText).includes(secret.slice(4)), 'it is sealed, and in no message');
	},
);

function bytesAsText(_key: string, value: unknown): unknown {
	const {type, data} = (value ?? {}) as {type?: string; data?: number[]};
	return type === 'Buffer' ? Buffer.from(data!).toString('latin1') : value;
}

/** A crash: an error that is thrown once, at the moment a statement like this has been done. */
function dyingAfter(pattern: RegExp): {wrap: (warehouse: Warehouse) => Warehouse; died: () => boolean} {
	let died = false;
	const die = () => {
		died = true;
		throw new DomainError('store_unavailable', 'killed');
	};
	return {
		died: () => died,
		wrap: warehouse => ({
			read: (...args) => warehouse.read(...args),
			ping: () => warehouse.ping(),
			close: () => warehouse.close(),
			async command(...args) {
				await warehouse.command(...args);
				if (!died && pattern.test(args[0])) die();
			},
			async write(block) {
				await warehouse.write(block);
				if (!died && pattern.test(`WRITE ${block.table} ${block.deduplicationToken ?? ''}`)) die();
			},
		}),
	};
}

const CRASHES: readonly [string, RegExp][] = [
	['while the offender is looked for', /^WRITE activities_v1_twin/],
	['when it is found and its rows are not yet taken back', /^DROP TABLE IF EXISTS activities_v1_twin/],
	['when its rows are taken back from one table', /^DELETE FROM fact_rows_v1/],
	['when the others are written', /^WRITE activities_v1 activities_v1:\d+:\d+-\d+:[0-9a-f]{16}$/],
];

for (const [moment, pattern] of CRASHES) {
	test.serial(`interrupted ${moment}, the batch ends as it would have`, async t => {
		const {wrap, died} = dyingAfter(pattern);
		const {append, ingestion, context, datamart, letters, facts, activities} = await world(t, wrap);
		const arrivals = await append(...people(10), visit('v', 'view', {note: 'venom'}), ...people(10));
		await ingestion.whenQueryable(arrivals.at(-1)!);
		t.true(died());
		t.is((await facts()).length, 40);
		t.is((await activities()).length, 20);
		const {items} = await letters();
		t.is(items.length, 1);
		const corrected = Buffer.from(JSON.stringify(visit('v')));
		const {id} = items[0]!;
		await ingestion.whenQueryable(await replayDeadLetter(context, {datamart, id}, corrected));
		t.is((await facts()).length, 42);
		t.is((await activities()).length, 21);
	});
}

test.serial(
	'a warehouse that refuses everything empties nothing into the dead letters: the batch waits for it',
	async t => {
		const {warehouse} = t.context.store;
		let broken = true;
		let refusals = 0;
		// Its tables have lost a column: every row is refused, those of our own making as well.
		const wrap = (inner: Warehouse): Warehouse => ({
			...inner,
			async write(block) {
				if (!broken) return inner.write(block);
				refusals += 1;
				return inner.write({...block, columns: block.columns.map(name => `${name}_lost`)});
			},
		});
		const {append, ingestion, letters, facts} = await world(t, wrap);
		const arrivals = await append(...people(20));
		while (refusals < 8) await new Promise(resolve => setTimeout(resolve, 20));
		t.is((await letters()).total, 0);
		t.is((await facts()).length, 0);
		broken = false;
		await ingestion.whenQueryable(arrivals.at(-1)!);
		t.is((await facts()).length, 40);
		t.is((await letters()).total, 0);
		t.truthy(warehouse);
	},
);

test.serial(
	'a service that stops in the middle of a long search stops, and the next one finishes it',
	async t => {
		let tries = 0;
		const slowly = (inner: Warehouse): Warehouse => ({
			...inner,
			async write(block) {
				if (/_twin_/.test(block.table)) {
					tries += 1;
					await new Promise(resolve => setTimeout(resolve, 100));
				}
				return inner.write(block);
			},
		});
		const {append, ingestion, datamart, facts, database} = await world(t, slowly);
		const poison = Array.from({length: 200}, (_, index) => visit(`p${index}`, 'poison'));
		const arrivals = await append(...people(1), ...poison);
		while (tries < 3) await new Promise(resolve => setTimeout(resolve, 20));
		const began = Date.now();
		await ingestion.close(100);
		t.true(Date.now() - began < 3_000, `${Date.now() - began} ms`);
		t.true(tries < 40, `${tries} tries`);

		const {warehouse} = t.context.store;
		const {journalDirectory} = ingestion;
		const next = await startTestIngestion(t, {database, warehouse, journalDirectory});
		await next.whenQueryable(arrivals.at(-1)!);
		t.is((await facts()).length, 2);
		const found = await listDeadLetters({letters: next.deadLetters}, datamart, 'rows_refused', PAGE);
		t.is(found.total, 200);
	},
);

test.serial(
	'a letter that was replayed twice, across a crash between journal and letter, is there once',
	async t => {
		const {append, ingestion, context, datamart, letters, facts, database} = await world(t);
		const arrivals = await append(visit('a', 'poison'));
		await ingestion.whenQueryable(arrivals[0]!);
		const {id} = (await letters()).items[0]!;
		const corrected = Buffer.from(JSON.stringify(visit('a')));
		// The process that asked died before it could close the letter: it is open still, for whoever asks next.
		const forgetful: DeadLettersContext = {
			...context,
			letters: Object.create(context.letters, {
				open: {value: context.letters.open.bind(context.letters)},
				close: {value: async () => true},
			}),
		};
		const [first, second] = await Promise.all([
			replayDeadLetter(forgetful, {datamart, id}, corrected),
			replayDeadLetter(forgetful, {datamart, id}, corrected),
		]);
		await ingestion.whenQueryable(Math.max(first, second));
		t.is((await facts()).length, 2);
		t.is((await letters()).total, 0, 'the drain closed it');
		await t.throwsAsync(replayDeadLetter(context, {datamart, id}), {code: 'dead_letter_replayed'});
		const [row] = await database.run(sql => sql('dead_letters').where({id}));
		t.is(row.sealed, null, 'a closed letter keeps nothing of the activity');
	},
);

test.serial(
	'a replay that is refused again is a letter again, and one that needs more rows than before gets a place of its own',
	async t => {
		const {append, ingestion, context, datamart, letters, facts} = await world(t);
		const [arrival] = await append(visit('a', 'poison'), visit('b'));
		await ingestion.whenQueryable(arrival! + 2);
		const first = (await letters()).items[0]!;
		await ingestion.whenQueryable(await replayDeadLetter(context, {datamart, id: first.id}));
		const again = (await letters()).items[0]!;
		t.not(again.id, first.id);
		t.like(again, {reason: 'rows_refused', receivedMs: RECEIVED});

		const events = ['x', 'y', 'z'].map($event_name => ({$event_name}));
		const longer = Buffer.from(JSON.stringify(visit('a', '', {$events: events})));
		await ingestion.whenQueryable(await replayDeadLetter(context, {datamart, id: again.id}, longer));
		const rows = await facts();
		t.is(rows.length, 5);
		t.is(new Set(rows.map(row => row.position)).size, 5, 'no two rows share a place');
		t.is((await letters()).total, 0);
	},
);
