import {existsSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {makeDirectory} from '../../src/lib/files.ts';
import {Disk} from './disk.ts';

test('a data directory that was just made, and what had to be made above it, is there after a power cut', async t => {
	const whyNot = Disk.whyNot();
	if (whyNot) {
		t.log(`SKIPPED: ${whyNot}`);
		return t.pass();
	}
	const disk = Disk.make();
	t.teardown(() => disk.remove());
	const directory = join(disk.directory, 'srv', 'millrace', 'data');
	await makeDirectory(directory);
	await makeDirectory(directory);
	disk.cut();
	await disk.restore();
	t.true(existsSync(directory));
});
