import test from 'ava';
import {z} from 'zod';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {funnelReport} from '../../src/analytics/funnel/funnel.ts';
import {createWarehouse} from '../../src/warehouse/clickhouse.ts';
import {SHARDED_BY} from '../../src/warehouse/cluster-tables.ts';
import {migrate} from '../../src/warehouse/migrate.ts';
import type {SqlParams, Warehouse} from '../../src/warehouse/warehouse.ts';
import {type ClickHouseFixture, startClickHouseFixture} from '../support/clickhouse-fixture.ts';
import {insertFacts} from '../support/facts.ts';
import {body, DAY, fact, MINUTE, step} from '../support/funnel.ts';
import {startTestWarehouse} from '../support/warehouse.ts';

const PEOPLE = 2_000;
const DATAMART = 1;
const EVENTS = ['view', 'basket', 'buy', 'leave', 'view'];
/** Each into the one before; about half of them from the other server. */
const MERGED = Array.from({length: 20}, (_, i) => [100 * i + 2, 100 * i + 1, i + 1]);

const FACTS = Array.from({length: PEOPLE * 5}, (_, i) =>
	fact(EVENTS[(i * 7 + (i >> 4)) % 5]!, {
		user: 1 + ((i * 13) % PEOPLE),
		after: ((i * 37) % 9_000) * MINUTE - 3 * DAY,
		money: (i % 11) * 10_000,
		dimensions: {EVENT_TYPE: [EVENTS[(i * 7 + (i >> 4)) % 5]!], CHANNEL_ID: [String(i % 3)]},
	}),
);

const QUESTIONS = [
	body(['view', 'basket', 'buy']),
	body(['view', step('buy', {max_days_after_previous_step: 1})]),
	body([step('view', {group_by_dimensions: ['CHANNEL_ID']}), 'buy']),
];

interface Shard {
	readonly fixture: ClickHouseFixture;
	readonly warehouse: Warehouse;
}

async function merge(warehouse: Warehouse): Promise<void> {
	await warehouse.write({
		table: 'user_point_merges_v1',
		columns: ['user_point_id', 'into_user_point_id', 'merge_sequence'],
		rows: MERGED.length,
		payload: Buffer.from(MERGED.map(each => `${each.join('\t')}\n`).join('')),
	});
	for (const name of ['merged_people', 'user_point_merges']) {
		await warehouse.command(`SYSTEM RELOAD DICTIONARY ${name}`);
	}
}

/** A server's answer over the wire, as bytes; values travel as ClickHouse's HTTP interface takes them. */
async function answerOf({fixture}: Shard, statement: string, params: SqlParams): Promise<Buffer> {
	const url = new URL(fixture.url);
	for (const [name, value] of Object.entries(params)) {
		const text = Array.isArray(value) ? `[${value.map(each => `'${each}'`).join(',')}]` : String(value);
		url.searchParams.set(`param_${name}`, text);
	}
	const response = await fetch(url, {method: 'POST', body: `${statement}\nFORMAT Native`});
	if (!response.ok) throw new Error(await response.text());
	return Buffer.from(await response.arrayBuffer());
}

let answered = 0;

/** A server asked as one of a cluster is; those that have the rows are others. */
function asCluster(asked: Warehouse, shards: readonly Shard[]): Warehouse {
	return {
		...asked,
		async read(query, input, options) {
			const told = `told_${++answered}`;
			let each = '';
			const here = (table: string) => table;
			const {params} = query.onShards!(input, {
				here,
				each(statement) {
					each = statement;
					return `(${statement})`;
				},
			})!;
			const whole = query.onShards!(input, {here, each: () => told})!;
			await asked.command(`CREATE TABLE ${told} ENGINE = Memory AS SELECT * FROM (${each}) WHERE 0`, params);
			const row = z.object({name: z.string()});
			const build = () => ({
				text: `SELECT name FROM system.columns WHERE table = '${told}' ORDER BY position`,
				params: {},
			});
			const {rows} = await asked.read({name: 'test.columns', lane: 'light', row, build}, undefined);
			const columns = rows.map(({name}) => name);
			for (const shard of shards) {
				const payload = await answerOf(shard, each, params);
				await asked.write({table: told, columns, rows: 1, payload, format: 'Native'});
			}
			return asked.read({...query, build: () => whole}, input, options);
		},
	};
}

test('two servers, each with its own people’s rows, answer as one, and send sums and the rows of the merged alone', async t => {
	t.timeout(180_000);
	const {warehouse: one} = await startTestWarehouse(t);
	await insertFacts(one, DATAMART, FACTS);
	const shards: Shard[] = [];
	for (const number of [0, 1]) {
		const fixture = await startClickHouseFixture();
		t.teardown(() => fixture.stop());
		const warehouse = createWarehouse({url: fixture.url});
		t.teardown(() => warehouse.close());
		await migrate(warehouse);
		await insertFacts(warehouse, DATAMART, FACTS);
		await warehouse.command(
			`ALTER TABLE fact_rows_v1 DELETE WHERE ${SHARDED_BY.fact_rows_v1} % 2 != ${number} SETTINGS mutations_sync = 1`,
		);
		shards.push({fixture, warehouse});
	}
	const ask = async (warehouse: Warehouse) => {
		const answers: unknown[] = [];
		for (const question of QUESTIONS) {
			const context = {datamart: {id: DATAMART, timeZone: 'UTC'}, warehouse};
			answers.push(await funnelReport(context, FunnelRequest.parse(question)));
		}
		return answers;
	};
	/** What both servers sent. */
	const askAll = async () => {
		const before = shards.reduce((bytes, {fixture}) => bytes + fixture.answeredBytes(), 0);
		const answers = await ask(asCluster(one, shards));
		return {answers, bytes: shards.reduce((bytes, {fixture}) => bytes + fixture.answeredBytes(), -before)};
	};

	const before = await ask(one);
	const apart = await askAll();
	t.deepEqual(apart.answers, before);

	for (const warehouse of [one, ...shards.map(each => each.warehouse)]) await merge(warehouse);
	const after = await ask(one);
	t.notDeepEqual(after, before);
	const merged = await askAll();
	t.deepEqual(merged.answers, after);

	t.log(`${PEOPLE} people: ${apart.bytes} bytes; ${MERGED.length} of them merged: ${merged.bytes} bytes`);
	// A person's marks of one question alone would be 8 bytes a row.
	t.true(apart.bytes < PEOPLE * 8, 'nobody travels');
	t.true(merged.bytes - apart.bytes < MERGED.length * 2_000, 'nobody but the merged travels');
});
