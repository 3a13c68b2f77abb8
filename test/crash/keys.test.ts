import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {AcceptedKeys} from '../../src/ingestion/accepted-keys/accepted-keys.ts';
import {Disk} from './disk.ts';
import {numberedKey} from './numbered-key.ts';

const CHILD = fileURLToPath(new URL('./keep-keys.js', import.meta.url));
const CUTS = Number(process.env.CRASH_KEY_CUTS ?? 5);

test('the power goes, again and again: a key that the journal was let go for is still known, and the activity not stored again', async t => {
	const whyNot = Disk.whyNot();
	if (whyNot) {
		t.log(`SKIPPED: ${whyNot}`);
		return t.pass();
	}
	t.timeout(120_000);
	const disk = Disk.make();
	t.teardown(() => disk.remove());
	const directory = join(disk.directory, 'journal');
	mkdirSync(directory);
	let flushed = 0;
	for (let cut = 0; cut < CUTS; cut++) {
		const before = flushed;
		const child = spawn(process.execPath, [CHILD, directory, String(flushed)], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const ended = once(child, 'close');
		let rest = '';
		child.stdout.setEncoding('utf8').on('data', (text: string) => {
			const lines = (rest + text).split('\n');
			rest = lines.pop()!;
			flushed = Number(lines.at(-1) ?? flushed);
		});
		for (const until = Date.now() + 20_000; flushed === before && Date.now() < until; ) await delay(5);
		await delay(150 + 40 * cut);
		await disk.cutUnder([child.pid!]);
		child.kill('SIGKILL');
		await ended;
		await disk.restore();
		t.true(flushed > before, 'keys were kept in this round');

		const keys = await AcceptedKeys.open(directory);
		const missing = Array.from({length: flushed}, (_, number) => number).filter(
			number => !keys.has([numberedKey(number)]),
		);
		await keys.close();
		t.is(missing.length, 0, `after cut ${cut + 1}: of ${flushed} keys`);
	}
	t.log(`${flushed} keys over ${CUTS} cuts`);
});
