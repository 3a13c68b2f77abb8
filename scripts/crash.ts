// npm run crash -- [--rounds N] [--minutes M] [--mode kill|power|files] [--seed S] [--json]: see docs/durability.md.
import {availableParallelism} from 'node:os';
import {parseArgs} from 'node:util';
import {type CrashReport, crash, type Mode} from '../test/crash/crash.ts';
import {Disk} from '../test/crash/disk.ts';
import {PHASES} from '../test/crash/evidence.ts';
import {faultsOf} from '../test/crash/verdict.ts';

const {values} = parseArgs({
	options: {
		rounds: {type: 'string', default: '20'},
		minutes: {type: 'string'},
		mode: {type: 'string', default: 'kill'},
		seed: {type: 'string'},
		json: {type: 'boolean', default: false},
	},
});
const rounds = Number(values.rounds);
const minutes = Number(values.minutes ?? Number.POSITIVE_INFINITY);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
let mode = values.mode as Mode;
if (
	!['kill', 'power', 'files'].includes(mode) ||
	!(rounds >= 1) ||
	!(minutes > 0) ||
	!Number.isInteger(seed)
) {
	say('usage: npm run crash -- [--rounds N] [--minutes M] [--mode kill|power|files] [--seed S] [--json]');
	process.exit(2);
}
const whyNot = mode === 'power' ? Disk.whyNot() : undefined;
if (whyNot) {
	say(`No disk that can lose its power: ${whyNot}. The journal is cut in its file instead (--mode files).`);
	mode = 'files';
}

say(`${rounds} rounds, mode ${mode}, seed ${seed}, ${availableParallelism()} cores, Node ${process.version}`);
const report = await crash({
	rounds,
	seed,
	mode,
	mostMs: minutes * 60_000,
	onRound: ({number, phases, ms, acknowledged}) =>
		say(
			`${String(number).padStart(5)}  ${String(ms).padStart(6)} ms  ${acknowledged} acknowledged  ${phases.join(' ')}`,
		),
});
const bad = tell(report);
if (values.json) say(JSON.stringify({mode, seed, date: new Date().toISOString(), ...report}));
process.exitCode = bad ? 1 : 0;

function tell({phases, surprises, ...all}: CrashReport): boolean {
	const faults = faultsOf(all);
	say('');
	say(`rounds          ${all.rounds} in ${Math.round(all.seconds)} s`);
	say(`killed while    ${PHASES.map(phase => `${phase} ${phases[phase]}`).join(', ')}`);
	say(`sent            ${all.sent}, ${all.sentAgain} of them again, by key`);
	say(`acknowledged    ${all.acknowledged} (and ${all.keptUnanswered} kept whose answer was on its way)`);
	say(`lost            ${all.lost}  ${all.lostExamples.join(' ')}`);
	say(`double          ${all.double}`);
	say(`phantoms        ${all.phantoms}, halves ${all.halves}, out of order ${all.outOfOrder}`);
	say(`people          split ${all.splitPeople}, mixed ${all.mixedPeople}`);
	for (const surprise of surprises.slice(0, 20)) say(`surprise        ${surprise}`);
	return faults.length > 0 || surprises.length > 0;
}

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}
