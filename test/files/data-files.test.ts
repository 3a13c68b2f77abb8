import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {buffer} from 'node:stream/consumers';
import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import {pino} from 'pino';
import type {DomainError} from '../../src/errors.ts';
import {BlobKeeper} from '../../src/files/blobs/blob-keeper.ts';
import {blobLedger} from '../../src/files/blobs/blobs.store.ts';
import type {Blobs} from '../../src/files/blobs/blobs.ts';
import {LocalBlobs} from '../../src/files/blobs/local-blobs.ts';
import {dataFileStore} from '../../src/files/data-files/data-files.store.ts';
import {DataFiles} from '../../src/files/data-files/data-files.ts';
import {startSharedPostgres, type TestPostgres} from '../support/postgres.ts';
import {testTenants} from '../support/tenants.ts';

interface Context {
	postgres: TestPostgres;
	organisationId: number;
	otherId: number;
}
const test = anyTest as TestFn<Context>;

test.before(async t => {
	const postgres = await startSharedPostgres();
	const tenants = await testTenants(postgres.database);
	const community = await tenants.community();
	const [{id: organisationId}, {id: otherId}] = [
		await tenants.organisation(community),
		await tenants.organisation(community),
	];
	t.context = {postgres, organisationId, otherId};
});
test.after.always(async t => t.context.postgres?.stop());

const log = pino({level: 'silent'});
const ALL = {firstResult: 0, maxResults: 500};

/** Files in a directory of their own; `wrap` stands between them and the disk. */
async function filesFor(t: ExecutionContext<Context>, wrap: (blobs: Blobs) => Blobs = blobs => blobs) {
	const directory = mkdtempSync(join(tmpdir(), 'millrace-files-'));
	const {database} = t.context.postgres;
	const ledger = blobLedger(database);
	const blobs = await LocalBlobs.open(directory);
	const keeper = new BlobKeeper({blobs: wrap(blobs), ledger, log});
	t.teardown(async () => {
		await keeper.close();
		rmSync(directory, {recursive: true});
	});
	const dataFiles = new DataFiles({store: dataFileStore(database), keeper, brands: ['acme']});
	const onDisk = () =>
		readdirSync(directory, {recursive: true, withFileTypes: true}).filter(each => each.isFile()).length;
	return {dataFiles, keeper, ledger, onDisk, blobs};
}

let places = 0;
const placeIn = ({context}: ExecutionContext<Context>) => ({
	organisationId: context.organisationId,
	path: `reports/${++places}.json`,
});

async function textOf(dataFiles: DataFiles, place: Parameters<DataFiles['open']>[0]): Promise<string> {
	return (await buffer((await dataFiles.open(place)).content)).toString();
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
	return work.then(
		() => 'no error',
		(error: DomainError) => error.code ?? error.message,
	);
}

test.serial(
	'a file comes back as it was written, with its length and digest, and a new content takes its place',
	async t => {
		const {dataFiles, keeper, onDisk} = await filesFor(t);
		const place = placeIn(t);
		const first = await dataFiles.put(place, Buffer.from('one'), {name: 'a.json', contentType: 'text/plain'});
		t.like(first, {...place, name: 'a.json', contentType: 'text/plain', bytes: 3});
		t.is(first.sha256, '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed');
		t.is(await textOf(dataFiles, place), 'one');

		const second = await dataFiles.put(place, Readable.from([Buffer.from('tw'), Buffer.from('o')]));
		await keeper.settled();
		t.like(second, {bytes: 3, name: null, creationTs: first.creationTs});
		t.is(await textOf(dataFiles, place), 'two');
		t.is(onDisk(), 1, 'the former content is gone');
	},
);

test.serial('a removed file is gone for everybody, and so are its bytes', async t => {
	const {dataFiles, onDisk} = await filesFor(t);
	const place = placeIn(t);
	await dataFiles.put(place, Buffer.from('one'));
	t.true(await dataFiles.remove(place));
	t.is(onDisk(), 0);
	t.false(await dataFiles.remove(place));
	t.is(await codeOf(dataFiles.open(place)), 'data_file_not_found');
});

test.serial('an upload that is too long or breaks off changes nothing and leaves nothing behind', async t => {
	const {dataFiles, keeper, onDisk} = await filesFor(t);
	const place = placeIn(t);
	await dataFiles.put(place, Buffer.from('kept'));
	const tooLong = Readable.from([Buffer.alloc(6), Buffer.alloc(6)]);
	t.is(await codeOf(dataFiles.put(place, tooLong, {maxBytes: 10})), 'body_too_large');
	async function* broken() {
		yield Buffer.from('half');
		throw new Error('the line is cut');
	}
	t.is(await codeOf(dataFiles.put(place, broken())), 'the line is cut');
	await keeper.settled();
	t.is(await textOf(dataFiles, place), 'kept');
	t.is(onDisk(), 1);
});

test.serial('of two who write to one place at once one wins, and nothing of the other stays', async t => {
	const {dataFiles, keeper, onDisk} = await filesFor(t);
	const place = placeIn(t);
	const texts = Array.from({length: 8}, (_, i) => `writer ${i}`);
	await Promise.all(texts.map(text => dataFiles.put(place, Buffer.from(text))));
	await keeper.settled();
	t.true(texts.includes(await textOf(dataFiles, place)));
	t.is(onDisk(), 1);
});

test.serial('who reads while the file is replaced gets one content or the other, whole', async t => {
	const {dataFiles} = await filesFor(t);
	const place = placeIn(t);
	const contents = ['a', 'b'].map(letter => letter.repeat(100_000));
	await dataFiles.put(place, Buffer.from(contents[0]!));
	const writing = (async () => {
		for (let i = 1; i <= 10; i++) await dataFiles.put(place, Buffer.from(contents[i % 2]!));
	})();
	for (let i = 0; i < 20; i++) t.true(contents.includes(await textOf(dataFiles, place)));
	await writing;
});

test.serial(
	'what a crash leaves before or after a file is known is cleared later, and nothing that is in use',
	async t => {
		const {dataFiles, keeper, ledger, blobs, onDisk} = await filesFor(t);
		const place = placeIn(t);
		await dataFiles.put(place, Buffer.from('kept'));
		const [unfinished, young] = ['1'.repeat(32), '2'.repeat(32)];
		for (const key of [unfinished, young]) {
			await ledger.begin(key);
			await blobs.put(key, Buffer.from('half'));
		}
		const {database} = t.context.postgres;
		await database.run(sql =>
			sql('blobs')
				.where({key: unfinished})
				.update({since_ts: Date.now() - 25 * 3_600_000}),
		);
		t.is(onDisk(), 3);
		await keeper.sweep();
		t.is(onDisk(), 2, 'what may still be being written stays');
		t.is(await textOf(dataFiles, place), 'kept');
		t.true(await ledger.abandon(young));
		await keeper.sweep();
		t.is(onDisk(), 1);
	},
);

test.serial('bytes that cannot be removed now are removed at the next sweep', async t => {
	let away = false;
	const {dataFiles, keeper, onDisk} = await filesFor(t, blobs => ({
		put: (key, content) => blobs.put(key, content),
		get: key => blobs.get(key),
		remove: key => (away ? Promise.reject(new Error('the bucket is away')) : blobs.remove(key)),
		close: () => blobs.close(),
	}));
	const place = placeIn(t);
	await dataFiles.put(place, Buffer.from('one'));
	away = true;
	t.true(await dataFiles.remove(place));
	t.is(onDisk(), 1);
	away = false;
	await keeper.sweep();
	t.is(onDisk(), 0);
});

test.serial(
	'files are listed by path, those of one organisation only, and a prefix is text and no pattern',
	async t => {
		const {dataFiles} = await filesFor(t);
		const {organisationId, otherId} = t.context;
		for (const path of ['list/b_1', 'list/a', 'list/bx1', 'other']) {
			await dataFiles.put({organisationId, path}, Buffer.from(path));
		}
		await dataFiles.put({organisationId: otherId, path: 'list/theirs'}, Buffer.from('x'));
		const pathsOf = async (prefix: string, paging = ALL) =>
			(await dataFiles.list(organisationId, prefix, paging)).items.map(({path}) => path);
		t.deepEqual(await pathsOf('list/'), ['list/a', 'list/b_1', 'list/bx1']);
		t.deepEqual(await pathsOf('list/b_'), ['list/b_1']);
		t.deepEqual(await pathsOf('list/', {firstResult: 1, maxResults: 1}), ['list/b_1']);
		t.is((await dataFiles.list(organisationId, 'list/', {firstResult: 1, maxResults: 1})).total, 3);
	},
);

test.serial(
	'a URI names a place with the brand’s scheme or ours, and nothing that climbs out of it',
	async t => {
		const {dataFiles} = await filesFor(t);
		const place = {organisationId: 12, path: 'dashboards/3/AUDIENCE_BUILDER-4.json'};
		t.is(dataFiles.uriOf(place), 'svc://data_file/tenants/12/dashboards/3/AUDIENCE_BUILDER-4.json');
		for (const scheme of ['svc', 'acme', 'ACME']) {
			t.deepEqual(dataFiles.locate(`${scheme}://data_file/tenants/12/${place.path}`), place);
		}
		t.deepEqual(dataFiles.locate('svc://data_file/tenants/12/é/a b&c.txt').path, 'é/a b&c.txt');
		for (const bad of [
			...['', 'file:///etc/passwd', 'mics://data_file/tenants/12/a', 'svc://data_file/tenants/12/'],
			...['svc://data_file/tenants/x/a', 'svc://data_file/tenants/0/a', 'svc://other/tenants/12/a'],
			...[
				'svc://data_file/tenants/12/../13/a',
				'svc://data_file/tenants/12/a//b',
				'svc://data_file/tenants/12/.',
			],
			...['svc://data_file/tenants/12/a\u0000b', 'svc://data_file/tenants/12/a\\b'],
			`svc://data_file/tenants/12/${'a'.repeat(1025)}`,
		]) {
			const error = t.throws(() => dataFiles.locate(bad), {name: 'DomainError'}, bad) as DomainError;
			t.is(error.faults[0]?.pointer, '?uri', bad);
		}
	},
);
