import {mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import {LineFile} from '../../../src/cli/upload/lines.ts';
import {ResumableRun} from '../../../src/cli/upload/resumable.ts';
import {uploadLines} from '../../../src/cli/upload/upload.ts';
import {MillraceClient} from '../../../src/client/index.ts';
import {serveKeys} from '../support/keyed-service.ts';

const directory = mkdtempSync(join(tmpdir(), 'millrace-resume-'));
test.after.always(() => rmSync(directory, {recursive: true, force: true}));

function newFile(name: string, lines: number): string {
	const file = join(directory, name);
	writeFileSync(file, Array.from({length: lines}, (_, index) => `{"line":${index + 1}}`).join('\n'));
	return file;
}

test('an upload that is cut off goes on where it was, and what was under way is not stored twice', async t => {
	const file = newFile('cut.ndjson', 25);
	const service = await serveKeys(t);
	const size = {maxLines: 4, maxLength: 10_000};

	async function attempt() {
		const resumable = await ResumableRun.open(directory, file, 'here 1');
		const {runId, answeredLine} = resumable.run;
		const lines = (async function* () {
			for await (const line of (await LineFile.open(file)).lines())
				if (line.number > answeredLine) yield line;
		})();
		const result = await uploadLines(lines, {
			client: new MillraceClient({url: service.url, maxAttempts: 1, token: 'ours'}),
			datamartId: '1',
			size,
			runId,
			onAnswered: line => resumable.note(line),
		});
		await (result.stopped ? resumable.keep() : resumable.forget());
		return {result, answeredLine};
	}

	// Stored, but the answer to the third batch never arrives.
	service.breakAfter(3);
	const first = await attempt();
	t.is(first.result.stopped?.line, 9);
	const second = await attempt();
	t.is(second.answeredLine, 8);
	t.is(second.result.stopped, undefined);
	t.is(second.result.duplicates, 4, 'the batch whose answer was lost');
	t.deepEqual(
		service.stored(),
		Array.from({length: 25}, (_, index) => index + 1),
	);
	t.is((await attempt()).answeredLine, 0, 'a run that is through is forgotten');
});

test('a file that has changed begins again', async t => {
	const file = newFile('changed.ndjson', 3);
	const run = await ResumableRun.open(directory, file, 'here 1');
	run.note(2);
	await run.keep();
	t.is((await ResumableRun.open(directory, file, 'here 1')).run.answeredLine, 2);
	t.is((await ResumableRun.open(directory, file, 'there 1')).run.answeredLine, 0);
	utimesSync(file, new Date(), new Date(Date.now() + 5_000));
	t.is((await ResumableRun.open(directory, file, 'here 1')).run.answeredLine, 0);
});

test('a run that is older than the keys of the service is not resumed behind its back', async t => {
	const file = newFile('old.ndjson', 3);
	const run = await ResumableRun.open(directory, file, 'here 1');
	run.note(2);
	await run.keep();
	const kept = JSON.parse(readFileSync(run.file, 'utf8'));
	writeFileSync(run.file, JSON.stringify({...kept, startedTs: Date.now() - 6.5 * 24 * 3_600_000}));
	await t.throwsAsync(ResumableRun.open(directory, file, 'here 1'), {message: /line 2 too long ago/});
});
