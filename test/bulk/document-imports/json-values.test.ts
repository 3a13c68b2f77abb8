import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import fc from 'fast-check';
import {
	type Flaw,
	MAX_VALUE_BYTES,
	type Place,
	readValues,
	START,
} from '../../../src/bulk/document-imports/json-values.ts';
import {readPortion} from '../../../src/bulk/document-imports/read-file.ts';

interface Seen {
	readonly values: [line: number, value: unknown][];
	readonly flaws: [line: number, flaw: Flaw][];
}

function collector() {
	const seen: Seen = {values: [], flaws: []};
	return {
		seen,
		visitor: {
			value: (line: number, value: unknown) => void seen.values.push([line, value]),
			flaw: (line: number, flaw: Flaw) => void seen.flaws.push([line, flaw]),
		},
	};
}

function read(text: string): Seen {
	const {seen, visitor} = collector();
	const bytes = Buffer.from(text);
	const end = readValues(bytes, START, true, visitor);
	if (end.offset !== bytes.length) throw new Error(`read to ${end.offset} of ${bytes.length}`);
	return seen;
}

/** As a file comes: never more than `size` further bytes at a time. */
function readInPieces(text: string, size: number): Seen {
	const {seen, visitor} = collector();
	const bytes = Buffer.from(text);
	let from: Place = START;
	for (let length = size; ; ) {
		const piece = bytes.subarray(from.offset, from.offset + length);
		const isLast = from.offset + length >= bytes.length;
		const next = readValues(piece, from, isLast, visitor);
		if (isLast) return seen;
		length = next.offset > from.offset ? size : length + size;
		from = next;
	}
}

const CASES: readonly [what: string, text: string, values: [number, unknown][], flaws: [number, Flaw][]][] = [
	[
		'one a line',
		'{"a":1}\n{"a":2}\n',
		[
			[1, {a: 1}],
			[2, {a: 2}],
		],
		[],
	],
	[
		'no newline at the end, and blank lines between',
		'{"a":1}\r\n\r\n \n{"a":2}',
		[
			[1, {a: 1}],
			[4, {a: 2}],
		],
		[],
	],
	[
		'printed over several lines',
		'{\n "a": {\n  "b": [\n   {"c": 1}\n  ]\n }\n}\n{"a":2}',
		[
			[1, {a: {b: [{c: 1}]}}],
			[8, {a: 2}],
		],
		[],
	],
	[
		'one behind the other on a line',
		'{"a":1}{"a":2} {"a":3}\n{"a":4}',
		[
			[1, {a: 1}],
			[1, {a: 2}],
			[1, {a: 3}],
			[2, {a: 4}],
		],
		[],
	],
	[
		'braces, quotes and backslashes within texts',
		'{"a":"}{\\"\\\\"}\n{"a":2}',
		[
			[1, {a: '}{"\\'}],
			[2, {a: 2}],
		],
		[],
	],
	[
		'a line that is no JSON',
		'{"a":1}\nnot json\n{"a":2}',
		[
			[1, {a: 1}],
			[3, {a: 2}],
		],
		[[2, 'no_object']],
	],
	[
		'an object that is cut off',
		'{"a":1}\n{"a":"x\n{"a":2}',
		[
			[1, {a: 1}],
			[3, {a: 2}],
		],
		[[2, 'no_json']],
	],
	[
		'an object that never closes',
		'{"a":{\n{"a":2}\n{"a":3}',
		[
			[2, {a: 2}],
			[3, {a: 3}],
		],
		[[1, 'no_json']],
	],
	[
		'an array that never closes',
		'{"a":[\n{"a":2}\n{"a":3}',
		[
			[2, {a: 2}],
			[3, {a: 3}],
		],
		[[1, 'no_json']],
	],
	[
		'a bare text and a bare number',
		'"x"\n1\n{"a":1}',
		[[3, {a: 1}]],
		[
			[1, 'no_object'],
			[2, 'no_object'],
		],
	],
	[
		'values joined by commas',
		'{"a":1},\n{"a":2},{"a":3}',
		[
			[1, {a: 1}],
			[2, {a: 2}],
			[2, {a: 3}],
		],
		[
			[1, 'comma'],
			[2, 'comma'],
		],
	],
	[
		'an array',
		'[{"a":1},\n{"a":2}]',
		[[2, {a: 2}]],
		[
			[1, 'array'],
			[2, 'no_object'],
		],
	],
	['nothing', ' \n\n', [], []],
];

for (const [what, text, values, flaws] of CASES) {
	test(`${what}: each value is told by its first line, and a bad place costs nothing behind it`, t => {
		t.deepEqual(read(text), {values, flaws});
	});
}

test('a file says the same however its bytes come in', t => {
	const json = fc.dictionary(fc.string({maxLength: 4}), fc.jsonValue({maxDepth: 3}), {maxKeys: 3});
	const part = fc.oneof(
		json.map(value => `${JSON.stringify(value)}\n`),
		json.map(value => `${JSON.stringify(value, null, 1)}\n`),
		json.map(value => JSON.stringify(value)),
		fc.constantFrom('\n', 'nonsense\n', '{"a":\n', '{"a":[{"b":1},\n', '"\n', ',\n', '}{\n'),
	);
	fc.assert(
		fc.property(fc.array(part, {maxLength: 12}), fc.integer({min: 1, max: 40}), (parts, size) => {
			const text = parts.join('');
			t.deepEqual(readInPieces(text, size), read(text));
		}),
		{numRuns: 400},
	);
});

test('a value of 50 MB costs its line: it is passed over in pieces, and the lines around it are read', async t => {
	const directory = mkdtempSync(join(tmpdir(), 'millrace-lines-'));
	t.teardown(() => rmSync(directory, {recursive: true}));
	const file = join(directory, 'long.ndjson');
	writeFileSync(
		file,
		`\uFEFF{"a":1}\n{"a":"${'x'.repeat(50 * 1024 * 1024)}"}\n{"a":2}\n${'y'.repeat(MAX_VALUE_BYTES + 9)}`,
	);
	const {seen, visitor} = collector();
	let portion = await readPortion(file, START, visitor);
	while (!portion.isLast) portion = await readPortion(file, portion.next, visitor);
	t.deepEqual(seen, {
		values: [
			[1, {a: 1}],
			[3, {a: 2}],
		],
		flaws: [
			[2, 'too_long'],
			[4, 'no_object'],
		],
	});
});

test('unclosed objects by the thousand do not make a file slow', t => {
	const text = '{"a":[{"b":1},\n'.repeat(20_000);
	const before = process.cpuUsage();
	const {flaws} = read(text);
	const {user} = process.cpuUsage(before);
	t.is(flaws.length, 20_000);
	t.true(user < 5_000_000, `${user / 1000} ms`);
});
