/** Child of keys.test.ts: DIRECTORY FROM. Remembers one numbered key after another and tells how many are on disk. */
import {setTimeout as delay} from 'node:timers/promises';
import {AcceptedKeys} from '../../src/ingestion/accepted-keys/accepted-keys.ts';
import {numberedKey} from './numbered-key.ts';

const [directory, from] = process.argv.slice(2);
const keys = await AcceptedKeys.open(directory!);
let next = Number(from);

async function remember(): Promise<void> {
	for (;;) {
		const claimed = Array.from({length: 40}, () => numberedKey(next++));
		for (const key of claimed) keys.claim([key], {}, Promise.resolve(true));
		await delay(2);
	}
}

async function tell(): Promise<void> {
	for (;;) {
		const sofar = next;
		await keys.flushed();
		process.stdout.write(`${sofar}\n`);
	}
}

await Promise.race([remember(), tell()]);
