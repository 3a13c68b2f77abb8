// node scripts/tap-summary.js REPORT CHECK_CODE TEST_CODE: names what failed and ends with "N passed, N failed".
import {readFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

/** Counts the test lines of a TAP report; skipped and todo tests are neither passed nor failed. */
export function summarise(tap) {
	const lines = tap.split('\n').filter(line => /^(not )?ok \d/.test(line) && !/ # (SKIP|TODO)\b/i.test(line));
	const failed = lines
		.filter(line => line.startsWith('not ok'))
		.map(line => line.replace(/^not ok \d+( - )?/, ''));
	return {passed: lines.length - failed.length, failed};
}

/** The verdict over both steps. No test at all is a failure, and so is a runner that fails without saying which test. */
export function verdict(tap, checkCode, testCode) {
	const {passed, failed} = summarise(tap);
	const failures = [...failed];
	if (checkCode !== 0) failures.push(`npm run check ended with ${checkCode}`);
	if (passed + failed.length === 0) failures.push('no test ran');
	else if (testCode !== 0 && failed.length === 0) failures.push(`npm test ended with ${testCode}`);
	return {passed, failures};
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
	const [report, checkCode, testCode] = process.argv.slice(2);
	const {passed, failures} = verdict(readFileSync(report, 'utf8'), Number(checkCode), Number(testCode));
	for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
	process.stdout.write(`${passed} passed, ${failures.length} failed\n`);
	process.exitCode = failures.length === 0 ? 0 : 1;
}
