import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {projectFile} from '../../src/lib/project.ts';

const SCRIPT = fileURLToPath(projectFile('scripts/tap-summary.js'));
const TAP = `TAP version 13
ok 1 - a funnel counts
    ok 9 - said by a test, not by the runner
not ok 2 - a shop sells
  ---
    name: AssertionError
  ...
ok 3 - real activities: skipped, no folder # SKIP
ok 4 - another day # TODO

1..4
`;

function summary(t: {teardown(fn: () => void): void}, tap: string, check = 0, tests = 0) {
	const folder = mkdtempSync(join(tmpdir(), 'millrace-tap-'));
	t.teardown(() => rmSync(folder, {recursive: true}));
	const report = join(folder, 'report.tap');
	writeFileSync(report, tap);
	const {stdout, status} = spawnSync(process.execPath, [SCRIPT, report, String(check), String(tests)], {
		encoding: 'utf8',
	});
	return {lines: stdout.trimEnd().split('\n'), status};
}

test('whoever reads the verdict sees which test failed, and skipped ones are counted nowhere', t => {
	t.deepEqual(summary(t, TAP, 0, 1), {lines: ['failed: a shop sells', '1 passed, 1 failed'], status: 1});
});

test('a change is good when something passed and nothing failed', t => {
	t.deepEqual(summary(t, 'TAP version 13\nok 1 - a\nok 2 - b\n'), {lines: ['2 passed, 0 failed'], status: 0});
});

test('a run without any test is a failure', t => {
	t.deepEqual(summary(t, 'TAP version 13\n1..0\n'), {
		lines: ['failed: no test ran', '0 passed, 1 failed'],
		status: 1,
	});
});

test('a failed check is a failure though all tests pass', t => {
	t.is(summary(t, 'ok 1 - a\n', 1).lines.at(-1), '1 passed, 1 failed');
});

test('a runner that fails without naming a test is a failure', t => {
	t.is(summary(t, 'ok 1 - a\n', 0, 7).lines.at(-1), '1 passed, 1 failed');
});
