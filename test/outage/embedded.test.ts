import {rmSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {DomainError} from '../../src/errors.ts';
import {acceptMany} from '../../src/ingestion/user-activities/accept.ts';
import type {Database} from '../../src/postgres/database.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import {inspectStores} from '../crash/check.ts';
import {Ledger} from '../crash/ledger.ts';
import {promised} from '../crash/people.ts';
import {Random} from '../crash/random.ts';
import {faultsOf} from '../crash/verdict.ts';
import {datamartNumber, directoryOf, incoming, startTestIngestion} from '../support/ingestion.ts';
import {startTestPostgres} from '../support/postgres.ts';
import {startTestWarehouse} from '../support/warehouse.ts';

const SEED = 7;
/** How long each of the outages lasts: 0.8 s, a minute by hand before a release. */
const AWAY_MS = process.env.OUTAGE_SECONDS ? Number(process.env.OUTAGE_SECONDS) * 1000 : 800;
const down = () => new DomainError('store_unavailable', 'not now', {retryAfterSeconds: 1});

/** Stores that are away while they are told to be; half of their last writes had come through. */
function faulty(stores: {readonly database: Database; readonly warehouse: Warehouse}, random: Random) {
	const away = {database: false, warehouse: false};
	const {database, warehouse} = stores;
	async function guard<T>(store: keyof typeof away, work: () => Promise<T>): Promise<T> {
		if (!away[store]) return work();
		if (random.chance(0.5)) await work();
		throw down();
	}
	const faultyDatabase: Database = {
		...database,
		run: work => guard('database', () => database.run(work)),
		transaction: work => guard('database', () => database.transaction(work)),
	};
	const faultyWarehouse: Warehouse = {
		...warehouse,
		read: (...args) => guard('warehouse', () => warehouse.read(...args)),
		write: block => guard('warehouse', () => warehouse.write(block)),
		command: (...args) => guard('warehouse', () => warehouse.command(...args)),
	};
	return {away, database: faultyDatabase, warehouse: faultyWarehouse};
}

test('embedded stores that go away and come back, in turn and together: accepting does not notice, and all is there once, in order', async t => {
	t.timeout(120_000 + 6 * AWAY_MS);
	const [{database}, store] = await Promise.all([startTestPostgres(t), startTestWarehouse(t)]);
	const random = new Random(SEED);
	const stores = faulty({database, warehouse: store.warehouse}, random);
	const ingestion = await startTestIngestion(t, stores);
	const datamart = datamartNumber(1);
	const file = `${ingestion.journalDirectory}.ledger`;
	t.teardown(() => rmSync(file, {force: true}));
	const ledger = new Ledger(file);
	const context = {...ingestion, directory: directoryOf([datamart])};
	let lastArrival = 0;
	const acceptFor = async (ms: number) => {
		let slowest = 0;
		for (const until = Date.now() + ms; Date.now() < until; await delay(random.between(0, 10))) {
			const began = performance.now();
			const seqs = ledger.send('lane', random.between(1, 30));
			const activities = seqs.map(seq => promised(SEED, seq).activity);
			const accepted = await acceptMany(context, {datamart, userAgent: ''}, incoming(activities));
			ledger.acknowledge('lane', seqs);
			lastArrival = accepted.lastArrival!;
			slowest = Math.max(slowest, performance.now() - began);
		}
		return slowest;
	};

	await acceptFor(400);
	for (const which of [['warehouse'], ['database'], ['warehouse', 'database']] as const) {
		for (const name of which) stores.away[name] = true;
		const before = ledger.acknowledgedCount;
		const slowest = await acceptFor(AWAY_MS);
		t.true(ledger.acknowledgedCount - before > 100);
		t.true(slowest < 2_000, `the slowest answer without ${which.join(' and ')} took ${slowest} ms`);
		t.log(`${ledger.acknowledgedCount - before} accepted without ${which.join(' and ')}`);
		for (const name of which) stores.away[name] = false;
		await acceptFor(400);
	}
	// Nobody is kept waiting longer than half a minute; a long backlog takes several askings.
	for (const until = Date.now() + 60_000 + 2 * AWAY_MS; ; ) {
		try {
			await ingestion.whenQueryable(lastArrival);
			break;
		} catch (error) {
			if (Date.now() > until) throw error;
		}
	}

	const verdict = await inspectStores(
		{database, warehouse: store.warehouse},
		{datamartId: 1, seed: SEED, ledger},
	);
	t.deepEqual(faultsOf(verdict), []);
	t.is(verdict.keptUnanswered, 0);
	t.true(verdict.acknowledged > 500);
});
