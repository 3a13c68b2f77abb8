// npm run oracle -- [--histories N] [--seed S] [--processes P] [--json]: random histories, funnels over them asked of the
// engine and of the reference evaluator (test/oracle/); says where they differ, and ends with 1 where they do.
// --only SEED,SEED --funnel SEED: these histories alone, asked the funnel that was drawn with one.
import {availableParallelism} from 'node:os';
import {parseArgs} from 'node:util';
import {seedsOfCrowds} from '../test/support/histories.ts';
import {type CrowdJob, type CrowdResult, compareInProcesses} from '../test/support/oracle-processes.ts';

const USAGE =
	'usage: npm run oracle -- [--histories N] [--seed S] [--processes P] [--json] [--only SEED,SEED --funnel SEED]';
const {values} = parseArgs({
	options: {
		histories: {type: 'string', default: '10000'},
		seed: {type: 'string', default: '1'},
		processes: {type: 'string', default: String(availableParallelism())},
		only: {type: 'string'},
		funnel: {type: 'string'},
		json: {type: 'boolean', default: false},
	},
});
const [histories, firstSeed, processes] = [values.histories, values.seed, values.processes].map(Number) as [
	number,
	number,
	number,
];
const only = values.only?.split(',').map(Number);
const wrong = [histories, firstSeed, processes, ...(only ?? []), Number(values.funnel ?? 0)].some(
	each => !Number.isInteger(each) || each < 0,
);
if (wrong || processes < 1 || (only === undefined) !== (values.funnel === undefined)) {
	say(USAGE);
	process.exit(2);
}

/** What is asked of the engine at a time: statements of many histories, of which each costs the same. */
const CROWD = {histories: 2500, requests: 12};
const MOST_TOLD = 20;
const EVERY_MS = 10_000;

const jobs: CrowdJob[] = only
	? [{nth: 0, seeds: only, requestSeeds: [Number(values.funnel)]}]
	: seedsOfCrowds(histories, firstSeed, CROWD.histories).map((seeds, nth) => ({
			nth,
			seeds,
			requestSeeds: seeds.slice(0, CROWD.requests),
		}));
const wanted = jobs.reduce((sum, {seeds}) => sum + seeds.length, 0);
const started = Date.now();
let told = started;
const sums = {histories: 0, funnels: 0, chains: 0, lists: 0, deaths: 0};
const differences: CrowdResult['differences'][number][] = [];

const givenUp = await compareInProcesses(jobs, {
	processes,
	onResult(result) {
		for (const sum of ['histories', 'funnels', 'chains', 'lists'] as const) sums[sum] += result[sum];
		for (const difference of result.differences) tell(difference);
		if (Date.now() - told > EVERY_MS || sums.histories === wanted) tellProgress();
	},
	onDeath(job, why) {
		sums.deaths += 1;
		say(`${why} over crowd ${job.nth}, which is asked again`);
	},
});

const seconds = Math.round((Date.now() - started) / 1000);
say('');
say(
	`${sums.histories} histories, ${sums.funnels} funnels, ${sums.chains} chains, ${sums.lists} lists in ${seconds} s: ${differences.length} differences`,
);
for (const {nth, seeds} of givenUp) say(`NOT COMPARED: crowd ${nth}, ${seeds.length} histories`);
if (values.json) {
	const byKind = Object.fromEntries(differences.map(({what}) => [what, count(what)]));
	say(
		JSON.stringify({
			...sums,
			first_seed: firstSeed,
			processes,
			seconds,
			differences: differences.length,
			not_compared: givenUp.reduce((sum, {seeds}) => sum + seeds.length, 0),
			by_kind: byKind,
		}),
	);
}
process.exitCode = differences.length + givenUp.length > 0 ? 1 : 0;

function tellProgress(): void {
	told = Date.now();
	const share = ((100 * sums.histories) / wanted).toFixed(1);
	const rate = Math.round(sums.histories / ((Date.now() - started) / 1000));
	say(
		`${share.padStart(5)} %  ${sums.histories} histories  ${sums.funnels} funnels  ${sums.chains} chains  ${differences.length} differences  ${rate}/s`,
	);
}

function tell(difference: (typeof differences)[number]): void {
	differences.push(difference);
	if (differences.length > MOST_TOLD) return;
	const {what, where, answered, expected, seeds, requestSeed} = difference;
	say(`DIFFERENT ${what}: ${where}`);
	say(`  answered ${text(answered)}`);
	say(`  expected ${text(expected)}`);
	if (seeds.length < 50) say(`  npm run oracle -- --only ${seeds.join(',')} --funnel ${requestSeed}`);
}

function text(value: unknown): string {
	const whole =
		JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)) ?? 'nothing';
	return whole.length > 2000 ? `${whole.slice(0, 2000)} ...` : whole;
}

function count(what: string): number {
	return differences.filter(each => each.what === what).length;
}

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}
