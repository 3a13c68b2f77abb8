import test from 'ava';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {funnelReport} from '../../src/analytics/funnel/funnel.ts';
import {createWarehouse} from '../../src/warehouse/clickhouse.ts';
import {migrate} from '../../src/warehouse/migrate.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import {type ClickHouseFixture, startClickHouseFixture} from '../support/clickhouse-fixture.ts';
import {type Fact, insertFacts} from '../support/facts.ts';
import {body, counts, fact} from '../support/funnel.ts';
import {startSharedWarehouse, type TestWarehouse} from '../support/warehouse.ts';

/** Texts that stand for something elsewhere; here they are values, all of them different. */
const TEXTS = [
	"it's",
	"' OR 1=1 --",
	"'; DROP TABLE fact_rows_v1; --",
	'"quoted"',
	'`quoted`',
	'back\\slash',
	'ends with \\',
	"\\'",
	'\\0',
	'nul\0nul',
	'tab\tline\nreturn\r',
	'\u{1f600}\u{1f3fd}',
	'e\u0301 and \u00e9',
	'\u2028\u202e',
	'{p0:String}',
	'/*{columns}*/',
	'/* comment */ -- and another',
	'%',
	'_',
	'.*',
	'^a|b$',
	'[a-z]+(',
	'(?i)x',
	'$1 \\1 $& $x',
	'NULL',
	'[]',
	"['a','b']",
	'long '.repeat(4000),
];
const EVERY = TEXTS.length;

const engines = new Map<string, Warehouse>();
let embedded: TestWarehouse;
let server: ClickHouseFixture;

test.before(async () => {
	embedded = await startSharedWarehouse();
	engines.set('the embedded engine', embedded.warehouse);
	server = await startClickHouseFixture();
	const warehouse = createWarehouse({url: server.url});
	await migrate(warehouse);
	engines.set('a server', warehouse);
	for (const each of engines.values()) await insertFacts(each, 1, TEXTS.flatMap(factsOf));
});
test.after.always(async () => {
	await engines.get('a server')?.close();
	await server?.stop();
	await embedded?.stop();
});

/** A user point of its own for each text, which stands in a dimension of one value and in one of several. */
function factsOf(text: string, at: number): Fact[] {
	const dimensions = {BRAND: ['first', text], CHANNEL_ID: [text]};
	return [fact('view', {user: at + 1, dimensions}), fact('buy', {user: at + 1, after: 1000, dimensions})];
}

for (const engine of ['the embedded engine', 'a server']) {
	const ask = (steps: readonly object[], more: object = {}) =>
		funnelReport(
			{datamart: {id: 1, timeZone: 'UTC'}, warehouse: engines.get(engine)!},
			FunnelRequest.parse(body(steps, more)),
		);

	test.serial(`whatever a filter asks for is a value on ${engine}`, async t => {
		const steps = (text: string, not: boolean) =>
			['BRAND', 'CHANNEL_ID'].flatMap(dimension_name =>
				['EXACT', 'IN_LIST', 'LIKE'].map(operator => ({
					name: text.slice(0, 100),
					filter_clause: {
						filters: [{dimension_name, operator, expressions: [text], not, case_sensitive: true}],
					},
				})),
			);
		for (const text of TEXTS) {
			const containing = TEXTS.filter(each => each.includes(text)).length;
			const inFirst = 'first'.includes(text) ? EVERY : containing;
			const expected = [1, 1, inFirst, 1, 1, containing];
			for (const [index, step] of steps(text, false).entries()) {
				t.deepEqual(
					counts((await ask([step])).global),
					[expected[index]],
					JSON.stringify(step).slice(0, 300),
				);
			}
			for (const [index, step] of steps(text, true).entries()) {
				if (index % 3 === 1) continue;
				t.deepEqual(
					counts((await ask([step])).global),
					[EVERY - expected[index]!],
					`not ${text.slice(0, 100)}`,
				);
			}
		}
	});

	test.serial(`whatever a row holds is told, held and split by as it is on ${engine}`, async t => {
		const split = [
			{name: 'view', group_by_dimensions: ['channel_id']},
			{name: 'buy', filter_clause: null},
		];
		const {global, grouped_by} = await ask(split, {holding_dimension: 'brand', time_to_convert: true});

		t.deepEqual(counts(global), [EVERY, EVERY]);
		t.deepEqual(grouped_by.map(group => group.dimension_value ?? '').toSorted(), TEXTS.toSorted());
		t.is((await ask([{name: TEXTS[1]}])).global.steps[0]?.name, TEXTS[1]);
	});
}
