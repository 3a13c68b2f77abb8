import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import test, {type ExecutionContext} from 'ava';
import {type Line, LineFile, splitLines} from '../../../src/cli/upload/lines.ts';

async function linesIn(t: ExecutionContext, bytes: Buffer): Promise<Line[]> {
	const folder = mkdtempSync(join(tmpdir(), 'millrace-lines-'));
	t.teardown(() => rmSync(folder, {recursive: true}));
	writeFileSync(join(folder, 'file'), bytes);
	const file = await LineFile.open(join(folder, 'file'));
	const lines = await all(file.lines());
	t.is(file.bytesRead, file.sizeBytes);
	return lines;
}

async function all(lines: AsyncIterable<Line>): Promise<Line[]> {
	const list: Line[] = [];
	for await (const line of lines) list.push(line);
	return list;
}

const THREE = '\uFEFF{"a":1}\r\n\n  {"b":"é"}\n{"c":3}';
const EXPECTED = [
	{number: 1, text: '{"a":1}'},
	{number: 3, text: '{"b":"é"}'},
	{number: 4, text: '{"c":3}'},
];

test('a line keeps the number an editor shows, blank lines and a missing last line end notwithstanding', async t => {
	t.deepEqual(await linesIn(t, Buffer.from(THREE)), EXPECTED);
});

test('a packed file is known by its first bytes, whatever its name', async t => {
	t.deepEqual(await linesIn(t, gzipSync(THREE)), EXPECTED);
});

test('a packed file that was cut off is an error, not a shorter file', async t => {
	const packed = gzipSync(
		Buffer.from(Array.from({length: 2000}, (_, i) => `{"n":${Math.sin(i)}}`).join('\n')),
	);
	await t.throwsAsync(linesIn(t, packed.subarray(0, packed.length - 100)), {
		message: /unexpected end of file/,
	});
});

test('a letter that two chunks share stays one letter', async t => {
	const bytes = Buffer.from('{"a":"é"}\n{"b":"€"}');
	const single = (async function* () {
		for (const byte of bytes) yield Buffer.of(byte);
	})();
	t.deepEqual(
		(await all(splitLines(single))).map(({text}) => text),
		['{"a":"é"}', '{"b":"€"}'],
	);
});

test('an empty file has no lines', async t => {
	t.deepEqual(await linesIn(t, Buffer.alloc(0)), []);
});
