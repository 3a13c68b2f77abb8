import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import test from 'ava';
import {
	areaOf,
	filesUnder,
	type Import,
	importsOf,
	partOf,
	ROOT,
	textOf,
} from './architecture/import-graph.ts';
import {ARROWS, EXCEPTIONS, INNER_PARTS, LIBRARIES, type LibraryRule} from './architecture/rules.ts';

const SOURCES = [...filesUnder('src', '.ts'), ...filesUnder('workers', '.ts')];
const IMPORTS = SOURCES.flatMap(file => importsOf(file, textOf(file)));

/** What is wrong with an import, or undefined. */
function brokenArrow({from, to, isTypeOnly}: Import): string | undefined {
	const part = partOf(from);
	const target = partOf(to);
	const arrow = ARROWS[part];
	if (!arrow) return `${from}: no arrow is drawn for ${part}; say in rules.ts what it may know`;
	const told = `${from} (${part}) imports ${to} (${target})`;
	const isElsewhere = areaOf(to) !== undefined && areaOf(from) !== areaOf(to);
	const composes = part === 'services' || part === 'app';
	if (isElsewhere && INNER_PARTS.includes(target) && !composes) {
		return `${told}: an area reaches another only through its domain, never through its store or query`;
	}
	if (target === part || arrow.knows.includes(target)) return undefined;
	if (isTypeOnly && arrow.knowsTypes?.includes(target)) return undefined;
	const typesOnly = arrow.knowsTypes?.includes(target) ? ' (types it may)' : '';
	return `${told}${typesOnly}: ${arrow.why}`;
}

function isExcepted({from, to}: Import): boolean {
	return EXCEPTIONS[from]?.reaches.includes(partOf(to)) ?? false;
}

test('nothing knows more than the arrows of ARCHITECTURE.md allow', t => {
	t.true(IMPORTS.length > 100, 'the import graph was read');
	const internal = IMPORTS.filter(({isPackage}) => !isPackage);
	t.deepEqual(
		internal.filter(each => !isExcepted(each)).flatMap(each => brokenArrow(each) ?? []),
		[],
	);
});

test('an exception from the arrows is one that is still needed', t => {
	for (const [file, {reaches}] of Object.entries(EXCEPTIONS)) {
		for (const part of reaches) {
			const needed = IMPORTS.some(
				each => each.from === file && partOf(each.to) === part && brokenArrow(each),
			);
			t.true(needed, `${file} no longer reaches ${part}: remove the exception`);
		}
	}
});

test('the rules would notice: a route that opens a store, an area that reads a foreign store, lib that knows an area', t => {
	const wrong = (from: string, line: string) =>
		importsOf(from, line).flatMap(each => brokenArrow(each) ?? []).length;
	const route = 'src/tenants/channels/channels.route.ts';
	t.is(wrong(route, "import {channelStore} from './channels.store.ts';"), 1);
	t.is(wrong(route, "import type {ChannelStore} from './channels.store.ts';"), 0);
	t.is(wrong(route, "import {type A, type B} from './channels.store.ts';"), 0);
	t.is(wrong('src/ingestion/a.store.ts', "import {b} from '../tenants/b.store.ts';"), 1);
	t.is(wrong('src/lib/ids.ts', "import {b} from '../tenants/tenants.ts';"), 1);
	t.is(wrong('src/analytics/funnel/funnel.ts', "const {a} = await import('../../http/body.ts');"), 1);
	t.is(wrong('src/cli/import.ts', "import {startIngestion} from '../ingestion/ingestion.ts';"), 1);
});

function mayName(rule: LibraryRule, {from, isTypeOnly}: Import): boolean {
	const fits = (place: string) => (place.startsWith('.') ? from.endsWith(place) : from.startsWith(place));
	return rule.spokenIn.some(fits) || (isTypeOnly && (rule.typesIn?.some(fits) ?? false));
}

test('each library is spoken only where the table says', t => {
	const problems = IMPORTS.filter(({isPackage}) => isPackage).flatMap(each => {
		const rule = LIBRARIES.find(({libraries}) => libraries.includes(each.to));
		if (!rule) return `${each.from} imports ${each.to}: rules.ts does not say where it may be spoken`;
		return mayName(rule, each) ? [] : `${each.from} imports ${each.to}: ${rule.why}`;
	});
	t.deepEqual(problems, []);
});

test('every dependency has its place in the table, and the table names no stranger', t => {
	const {dependencies} = JSON.parse(textOf('package.json')) as {dependencies: Record<string, string>};
	t.deepEqual(LIBRARIES.flatMap(({libraries}) => libraries).sort(), Object.keys(dependencies).sort());
});

test('the embedded engines are those that were tried: who installs the package gets no newer ones', t => {
	const {dependencies} = JSON.parse(textOf('package.json')) as {dependencies: Record<string, string>};
	for (const engine of ['chdb', '@electric-sql/pglite']) t.regex(dependencies[engine] ?? '', /^\d/, engine);
});

test('every dependency is one that something imports', t => {
	const isSpoken = (name: string) => IMPORTS.some(({to, isTypeOnly}) => to === name && !isTypeOnly);
	const spoken = LIBRARIES.filter(({spokenIn}) => spokenIn.length > 0).flatMap(({libraries}) => libraries);
	t.deepEqual(
		spoken.filter(name => !isSpoken(name)),
		[],
		'it has to be installed, trusted and kept current for nothing: npm rm it',
	);
});

test('only config.ts reads the environment', t => {
	const readers = SOURCES.filter(file =>
		/\bprocess\s*\.\s*env\b|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/.test(textOf(file)),
	);
	t.deepEqual(readers, ['src/config.ts'], 'settings are read once, checked together, and handed down');
});

test('every report has its SQL, its test and its benchmark', t => {
	const reports = new Set(filesUnder('src/analytics', '.query.ts').map(file => file.split('/')[2] ?? ''));
	t.true(reports.has('funnel'));
	const all = ['sql', 'test', 'benchmarks'].flatMap(folder => filesUnder(folder));
	for (const report of reports) {
		const has = (pattern: RegExp) => all.some(file => pattern.test(file));
		t.true(
			has(new RegExp(`^sql/analytics/${report}[^/]*\\.sql$`)),
			`${report} asks nothing: sql/analytics/${report}.sql`,
		);
		t.true(
			has(new RegExp(`^test/analytics/${report}.*\\.test\\.ts$`)),
			`${report} keeps no promise: no test`,
		);
		t.true(
			has(new RegExp(`^benchmarks/(.*/)?${report}[^/]*\\.ts$`)),
			`nobody knows how fast ${report} is: no benchmark`,
		);
	}
});

test('every SQL file begins with a comment that says what it is for', t => {
	const files = filesUnder('sql', '.sql');
	t.true(files.length > 5);
	for (const file of files)
		t.regex(textOf(file), /^-- \S.{10,}/, `${file} opens with the question it answers`);
});

test('migrations are numbered without gaps in their meaning: no number twice', t => {
	for (const folder of ['sql/clickhouse/schema', 'sql/postgres/migrations']) {
		const files = filesUnder(folder, '.sql').map(file => file.slice(folder.length + 1));
		for (const file of files) t.regex(file, /^\d{3}_[a-z0-9_]+\.sql$/);
		const numbers = files.map(file => file.slice(0, 3));
		t.deepEqual([...new Set(numbers)], numbers, `${folder}: two files with one number have no order`);
	}
});

test('the lock file is whole for every machine, not only for the one it was written on', async t => {
	const script = pathToFileURL(join(ROOT, 'scripts/complete-lock.js')).href;
	const {missingOptionals} = (await import(script)) as {missingOptionals(packages: object): {path: string}[]};
	const {packages} = JSON.parse(textOf('package-lock.json')) as {packages: Record<string, object>};
	t.deepEqual(
		missingOptionals(packages),
		[],
		'npm ci refuses such a lock file: run node scripts/complete-lock.js',
	);
	delete packages['node_modules/@chdb/lib-darwin-arm64'];
	t.is(missingOptionals(packages).length, 1, 'a package that is left out is noticed');
});

test('the lock file names no registry, so that any mirror will do', t => {
	t.notRegex(textOf('package-lock.json'), /"resolved"/);
});

const OWN_FILES = ['test/architecture.test.ts'];
const TEXTS = /\.(ts|js|json|md|sql|ya?ml|sh)$|\/run$|Dockerfile$/;
/** The machine a line was written on is nobody's business and helps nobody. */
const PRIVATE = /(?<![\w.])\/(work|root|home|Users)\/\w+/;

test('no file names a path of the machine it was written on', t => {
	const folders = ['.ci', 'benchmarks', 'docs', 'scripts', 'sql', 'src', 'test', 'workers'];
	const files = [
		...folders.filter(folder => existsSync(join(ROOT, folder))).flatMap(folder => filesUnder(folder)),
	];
	for (const file of [...files, 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'package.json']) {
		if (!TEXTS.test(file) || OWN_FILES.includes(file)) continue;
		t.notRegex(textOf(file), PRIVATE, file);
	}
});
