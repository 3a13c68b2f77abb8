import {execFile} from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import {projectFile} from '../../src/lib/project.ts';

const BUILD = projectFile('scripts/build.js').href;
const run = promisify(execFile);

async function build(root: string): Promise<boolean> {
	const {ensureBuilt} = (await import(BUILD)) as {ensureBuilt(root: string): Promise<boolean>};
	return ensureBuilt(root);
}

function project(t: ExecutionContext, files: Readonly<Record<string, string>>) {
	const root = mkdtempSync(join(tmpdir(), 'millrace-build-'));
	t.teardown(() => rmSync(root, {recursive: true, maxRetries: 5}));
	const write = (path: string, text: string) => {
		mkdirSync(dirname(join(root, path)), {recursive: true});
		writeFileSync(join(root, path), text);
	};
	write('package-lock.json', '{}');
	write('package.json', '{"type": "module"}');
	for (const [path, text] of Object.entries(files)) write(path, text);
	const output = (path: string) => join(root, 'dist', path);
	return {
		root,
		write,
		output,
		read: (path: string) => readFileSync(output(path), 'utf8'),
		/** Tells one writing of an output from the next: each comes into its place as another file. */
		written: (path: string) => statSync(output(path)).ino,
	};
}

const FAILS = `interface Told {
	readonly words: string;
}

export function fail({words}: Told): never {
	const told: string = words; throw new Error(told);
}
`;

test('an error is told at the line and column where its source has it', async t => {
	const {root, output} = project(t, {
		'src/fails.ts': FAILS,
		'src/main.ts': "import {fail} from './fails.ts';\nfail({words: 'on purpose'});\n",
	});
	t.true(await build(root));
	const {stderr} = await t.throwsAsync<Error & {stderr: string}>(
		run(process.execPath, [output('src/main.js')]),
	);
	const column = FAILS.split('\n')[5]!.indexOf('new Error') + 1;
	t.true(stderr.includes(`fails.js:6:${column}`), stderr);
});

test('imports of sources lead to what they are compiled to; texts that look like imports stay as they are', async t => {
	const lines = [
		"import type {A} from './a.ts';",
		"export {b} from '../b.ts';",
		"const later = () => import('./c.ts');",
		"const text = `\nimport {d} from './d.ts';\n`;",
	];
	const {root, read} = project(t, {'test/x.ts': lines.join('\n')});
	t.true(await build(root));
	const [typeOnly, ...rest] = read('test/x.js').split('\n');
	t.is(typeOnly!.trim(), '');
	t.deepEqual(rest, [
		"export {b} from '../b.js';",
		"const later = () => import('./c.js');",
		...lines[3]!.split('\n'),
	]);
});

test('only what has changed is compiled again, and what is no longer there cannot be loaded', async t => {
	const {root, write, output, read, written} = project(t, {
		'src/a.ts': 'a;',
		'src/b.ts': 'b;',
		'src/c.ts': 'c;',
	});
	t.true(await build(root));
	const before = {a: written('src/a.js'), b: written('src/b.js')};

	write('src/b.ts', 'b2;');
	rmSync(join(root, 'src', 'c.ts'));
	rmSync(output('src/a.js'));
	writeFileSync(output('src/a.js'), 'a;');
	t.true(await build(root));
	t.is(read('src/b.js'), 'b2;');
	t.not(written('src/a.js'), before.a, 'an output that does not bear the time of its source is not trusted');
	t.false(existsSync(output('src/c.js')));

	const between = {a: written('src/a.js'), b: written('src/b.js')};
	t.true(await build(root));
	t.deepEqual({a: written('src/a.js'), b: written('src/b.js')}, between);

	write('package-lock.json', '{"lockfileVersion": 3}');
	t.true(await build(root));
	t.not(written('src/b.js'), between.b, 'another compiler may make something else of it');
});

test('a source that cannot be compiled is named and not run in its older form; the others are', async t => {
	const {root, write, output, read} = project(t, {'src/good.ts': 'good;', 'src/bad.ts': 'bad;'});
	t.true(await build(root));
	write('src/good.ts', 'better;');
	write('src/bad.ts', 'const {');
	const program = `const {ensureBuilt} = await import(${JSON.stringify(BUILD)});
		console.log(await ensureBuilt(${JSON.stringify(root)}));`;
	const {stdout, stderr} = await run(process.execPath, ['--input-type=module', '--eval', program]);
	t.is(stdout, 'false\n');
	t.regex(stderr, /^src\/bad\.ts is not compiled: /);
	t.is(read('src/good.js'), 'better;');
	t.false(existsSync(output('src/bad.js')));
});

test('processes that compile at the same time leave whole files and nothing else', async t => {
	const long = (name: string) =>
		`export const ${name}: readonly number[] = [\n${'\t1,\n'.repeat(20_000)}];\n`;
	const names = ['a', 'b', 'c', 'd', 'e', 'f'];
	const {root, read} = project(t, Object.fromEntries(names.map(name => [`src/${name}.ts`, long(name)])));
	const program = `const {ensureBuilt} = await import(${JSON.stringify(BUILD)});
		process.exitCode = (await ensureBuilt(${JSON.stringify(root)})) ? 0 : 1;`;
	const builders = Array.from({length: 4}, () =>
		run(process.execPath, ['--input-type=module', '--eval', program]),
	);
	await t.notThrowsAsync(Promise.all(builders));
	for (const name of names) {
		t.is(read(`src/${name}.js`), long(name).replace(': readonly number[]', ' '.repeat(19)));
	}
	t.deepEqual(readdirSync(join(root, 'dist')).sort(), ['made-by', 'src']);
});
