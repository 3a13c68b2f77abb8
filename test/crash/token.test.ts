import test from 'ava';
import {DomainError} from '../../src/errors.ts';
import {acceptMany} from '../../src/ingestion/user-activities/accept.ts';
import type {Warehouse, WriteBlock} from '../../src/warehouse/warehouse.ts';
import {allFacts, keptActivities} from '../support/facts.query.ts';
import {datamartNumber, directoryOf, incoming, startTestIngestion} from '../support/ingestion.ts';
import {startTestPostgres} from '../support/postgres.ts';
import {startTestWarehouse} from '../support/warehouse.ts';

const people = Array.from({length: 20}, (_, index) => ({
	$type: 'SITE_VISIT',
	// Two months are two parts, each with a token of its own.
	$ts: Date.UTC(2024, index % 2, 1),
	$user_agent_id: `vec:p${index}`,
	$events: [{$event_name: 'view'}],
}));

/**
 * The engine notes a block's token before it shows the block's rows. Killed in between, it knows tokens whose rows it
 * never had, and drops whoever brings them: so does this one, for the first `swallowed` writes after a failed one.
 */
function killedBetweenTokenAndRows(warehouse: Warehouse, swallowed: number) {
	const known = new Set<string>();
	let failed = 0;
	const wrapped: Warehouse = {
		read: (...args) => warehouse.read(...args),
		command: (...args) => warehouse.command(...args),
		ping: () => warehouse.ping(),
		close: () => warehouse.close(),
		async write(block) {
			const token = block.deduplicationToken ?? '';
			if (failed < 2) {
				failed += 1;
				known.add(token);
				throw new DomainError('store_unavailable', 'killed');
			}
			if (known.has(token)) return;
			if (known.size < 2 + swallowed) known.add(token);
			else await warehouse.write(block);
		},
	};
	return {wrapped, known};
}

test('a store that was killed after it noted a token and before it kept the rows gets the rows all the same', async t => {
	const [{database}, {warehouse}] = await Promise.all([startTestPostgres(t), startTestWarehouse(t)]);
	const {wrapped, known} = killedBetweenTokenAndRows(warehouse, 2);
	const ingestion = await startTestIngestion(t, {database, warehouse: wrapped});
	const datamart = datamartNumber(1);
	const context = {...ingestion, directory: directoryOf([datamart])};
	const {lastArrival} = await acceptMany(context, {datamart, userAgent: ''}, incoming(people));
	await ingestion.whenQueryable(lastArrival!);
	t.is((await warehouse.read(allFacts, 1)).rows.length, 20);
	t.is((await warehouse.read(keptActivities, 1)).rows.length, 20);
	t.is(known.size, 4, 'both tables were tried under tokens that were known');
});

/**
 * A server goes on with an insert whose client has gone: the first write's first month is there when its connection
 * breaks, the second month comes while the batch is already being written again.
 */
function halfWayWhenTheConnectionBreaks(warehouse: Warehouse): Warehouse {
	const late = new Map<string, () => Promise<void>>();
	const done = new Set<string>();
	/** The block's two months, each written by itself under the block's token. */
	const halves = async ({deduplicationToken, ...block}: WriteBlock) => {
		const {table} = block;
		const aside = `${table}_aside`;
		await warehouse.command(`CREATE TABLE ${aside} AS ${table}`);
		await warehouse.write({...block, table: aside});
		const columns = block.columns.join(', ');
		return [1, 2].map(
			month => () =>
				warehouse.command(
					`INSERT INTO ${table} (${columns}) SETTINGS insert_deduplication_token = '${deduplicationToken}'
					SELECT ${columns} FROM ${aside}
					WHERE toMonth(fromUnixTimestamp64Milli(toInt64(bitShiftRight(position, 22)), 'UTC')) = ${month}`,
				),
		);
	};
	return {
		read: (...args) => warehouse.read(...args),
		command: (...args) => warehouse.command(...args),
		ping: () => warehouse.ping(),
		close: () => warehouse.close(),
		async write(block) {
			const stillRunning = late.get(block.table);
			if (stillRunning) {
				late.delete(block.table);
				await stillRunning();
			} else if (!done.has(block.table)) {
				done.add(block.table);
				const [january, february] = await halves(block);
				await january!();
				late.set(block.table, february!);
				throw new DomainError('store_unavailable', 'the connection broke');
			}
			await warehouse.write(block);
		},
	};
}

test('an insert that a server finishes after its client has gone, and that is sent again meanwhile, is there once', async t => {
	const [{database}, {warehouse}] = await Promise.all([startTestPostgres(t), startTestWarehouse(t)]);
	const ingestion = await startTestIngestion(t, {
		database,
		warehouse: halfWayWhenTheConnectionBreaks(warehouse),
	});
	const datamart = datamartNumber(1);
	const context = {...ingestion, directory: directoryOf([datamart])};
	const {lastArrival} = await acceptMany(context, {datamart, userAgent: ''}, incoming(people));
	await ingestion.whenQueryable(lastArrival!);
	t.is((await warehouse.read(allFacts, 1)).rows.length, 20);
	t.is((await warehouse.read(keptActivities, 1)).rows.length, 20);
});
