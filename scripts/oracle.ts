// npm run oracle -- [--histories N] [--seed S] [--json]: random histories, funnels over them asked of the engine and of
// the reference evaluator (test/oracle/); says where they differ, and ends with 1 where they do.
import {parseArgs} from 'node:util';
import {compareCrowd, type Difference} from '../test/support/compare.ts';
import {crowdsOf} from '../test/support/histories.ts';
import {startSharedWarehouse} from '../test/support/warehouse.ts';

const {values} = parseArgs({
	options: {
		histories: {type: 'string', default: '10000'},
		seed: {type: 'string', default: '1'},
		json: {type: 'boolean', default: false},
	},
});
const histories = Number(values.histories);
const firstSeed = Number(values.seed);
if (!(Number.isInteger(histories) && histories >= 1 && Number.isInteger(firstSeed))) {
	say('usage: npm run oracle -- [--histories N] [--seed S] [--json]');
	process.exit(2);
}

/** Told in the answers of a statement: crowds as large as the reference evaluator keeps up with. */
const CROWD = {histories: 500, requests: 12};
/** What is in the engine at a time. */
const CHUNK = 12_000;
const MOST_TOLD = 20;
const EVERY_MS = 10_000;

const store = await startSharedWarehouse();
const started = Date.now();
let told = started;
const sums = {histories: 0, funnels: 0, chains: 0, user_points: 0};
const differences: Difference[] = [];
try {
	while (sums.histories < histories) await compareChunk(Math.min(CHUNK, histories - sums.histories));
} finally {
	await store.stop();
}
const seconds = Math.round((Date.now() - started) / 1000);
const byKind = Object.fromEntries(differences.map(({what}) => [what, count(what)]));
say('');
say(
	`${sums.histories} histories, ${sums.funnels} funnels, ${sums.chains} chains in ${seconds} s: ${differences.length} differences`,
);
if (values.json) {
	say(
		JSON.stringify({
			...sums,
			first_seed: firstSeed,
			seconds,
			differences: differences.length,
			by_kind: byKind,
		}),
	);
}
process.exitCode = differences.length > 0 ? 1 : 0;

async function compareChunk(size: number): Promise<void> {
	await store.warehouse.command('TRUNCATE TABLE fact_rows_v1');
	for (const crowd of crowdsOf(size, firstSeed + sums.histories, {}, CROWD)) {
		const compared = await compareCrowd(store.warehouse, crowd);
		sums.funnels += compared.funnels;
		sums.chains += compared.chains;
		sums.user_points += new Set(crowd.facts.map(fact => fact.userPoint)).size;
		for (const difference of compared.differences) tell(difference);
		sums.histories += crowd.seeds.length;
		if (Date.now() - told > EVERY_MS || sums.histories === histories) tellProgress();
	}
}

function tellProgress(): void {
	told = Date.now();
	const share = ((100 * sums.histories) / histories).toFixed(1);
	const rate = Math.round(sums.histories / ((Date.now() - started) / 1000));
	say(
		`${share.padStart(5)} %  ${sums.histories} histories  ${sums.funnels} funnels  ${sums.chains} chains  ${differences.length} differences  ${rate}/s`,
	);
}

function tell(difference: Difference): void {
	differences.push(difference);
	if (differences.length > MOST_TOLD) return;
	const {what, where, answered, expected} = difference;
	say(`DIFFERENT ${what}: ${where}`);
	say(`  answered ${text(answered)}`);
	say(`  expected ${text(expected)}`);
}

function text(value: unknown): string {
	const whole =
		JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)) ?? 'nothing';
	return whole.length > 2000 ? `${whole.slice(0, 2000)} ...` : whole;
}

function count(what: Difference['what']): number {
	return differences.filter(each => each.what === what).length;
}

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}
