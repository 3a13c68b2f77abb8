import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {buffer} from 'node:stream/consumers';
import test, {type ExecutionContext} from 'ava';
import type {DomainError} from '../../src/errors.ts';
import {type Blobs, newBlobKey} from '../../src/files/blobs/blobs.ts';
import {LocalBlobs} from '../../src/files/blobs/local-blobs.ts';
import {S3Blobs} from '../../src/files/blobs/s3-blobs.ts';
import {startTestBucket, type TestBucket} from '../support/s3.ts';

/** What files rely on, whether their bytes are on a disk or in a bucket. */
const PLACES: Readonly<Record<string, (t: ExecutionContext) => Promise<Blobs>>> = {
	async 'a directory'(t) {
		const directory = mkdtempSync(join(tmpdir(), 'millrace-blobs-'));
		t.teardown(() => rmSync(directory, {recursive: true}));
		return LocalBlobs.open(directory);
	},
	'a bucket': async t => inBucket(t, await startTestBucket(t)),
};

function inBucket(t: ExecutionContext, {url}: TestBucket): Blobs {
	const blobs = new S3Blobs({
		bucket: 'acme',
		prefix: 'millrace/',
		endpoint: url,
		region: 'eu-west-3',
		credentials: {accessKeyId: 'key', secretAccessKey: 'secret'},
	});
	t.teardown(() => blobs.close());
	return blobs;
}

async function contentOf(blobs: Blobs, key: string): Promise<Buffer | undefined> {
	const content = await blobs.get(key);
	return content && (await buffer(content));
}

async function* pieces(count: number, bytes: number): AsyncGenerator<Buffer> {
	for (let i = 0; i < count; i++) yield Buffer.alloc(bytes, i);
}

for (const [place, open] of Object.entries(PLACES)) {
	test(`${place} gives back what was put, whole or piece by piece, and an empty content too`, async t => {
		const blobs = await open(t);
		const keys = [newBlobKey(), newBlobKey(), newBlobKey()] as const;
		await blobs.put(keys[0], Buffer.from('hello'));
		await blobs.put(keys[1], pieces(6, 2 * 1024 * 1024));
		await blobs.put(keys[2], pieces(0, 0));
		t.is((await contentOf(blobs, keys[0]))?.toString(), 'hello');
		const long = await contentOf(blobs, keys[1]);
		t.is(long?.length, 12 * 1024 * 1024);
		t.is(long?.at(-1), 5);
		t.is((await contentOf(blobs, keys[2]))?.length, 0);
	});

	test(`${place} has nothing under a key that was never used or was removed`, async t => {
		const blobs = await open(t);
		const key = newBlobKey();
		t.is(await blobs.get(key), undefined);
		await blobs.put(key, Buffer.from('x'));
		await blobs.remove(key);
		t.is(await blobs.get(key), undefined);
		await t.notThrowsAsync(blobs.remove(key));
	});

	test(`${place} tells the source’s own failure, and what is left of it can be removed`, async t => {
		const blobs = await open(t);
		const key = newBlobKey();
		async function* broken(): AsyncGenerator<Buffer> {
			yield* pieces(4, 2 * 1024 * 1024);
			throw new Error('the line is cut');
		}
		await t.throwsAsync(blobs.put(key, broken()), {message: 'the line is cut'});
		await blobs.remove(key);
		t.is(await blobs.get(key), undefined);
	});
}

test('who reads from a directory goes on reading while the blob is removed', async t => {
	const blobs = await PLACES['a directory']!(t);
	const key = newBlobKey();
	await blobs.put(key, pieces(20, 1024 * 1024));
	const content = (await blobs.get(key))!;
	await blobs.remove(key);
	t.is((await buffer(content)).length, 20 * 1024 * 1024);
});

test('a directory takes no key that is not one of ours: no name climbs out of it', async t => {
	const blobs = await PLACES['a directory']!(t);
	for (const key of ['../../etc/passwd', '', 'a'.repeat(31), `${'a'.repeat(32)}/`, 'A'.repeat(32)]) {
		await t.throwsAsync(blobs.put(key, Buffer.from('x')), {message: 'no key of a blob'}, key);
		await t.throwsAsync(blobs.get(key), undefined, key);
	}
});

test('objects stand under the prefix, the requests are signed, and a broken upload leaves no parts to pay for', async t => {
	const bucket = await startTestBucket(t);
	const blobs = inBucket(t, bucket);
	const key = newBlobKey();
	await blobs.put(key, Buffer.from('x'));
	t.deepEqual([...bucket.objects.keys()], [`/acme/millrace/${key}`]);
	t.regex(bucket.requests[0]!.authorization, /^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/eu-west-3\/s3\//);
	async function* broken(): AsyncGenerator<Buffer> {
		yield* pieces(4, 4 * 1024 * 1024);
		throw new Error('the line is cut');
	}
	await t.throwsAsync(blobs.put(newBlobKey(), broken()), {message: 'the line is cut'});
	t.true(
		bucket.requests.some(({url}) => url.includes('uploads')),
		'it had begun in parts',
	);
	t.is(bucket.uploads.size, 0);
	t.is(bucket.objects.size, 1);
});

test('a bucket that refuses or is away is a store that is unavailable, not a file that is missing', async t => {
	const bucket = await startTestBucket(t);
	const blobs = inBucket(t, bucket);
	const codes = async () => {
		const works = [
			() => blobs.put(newBlobKey(), Buffer.from('x')),
			() => blobs.put(newBlobKey(), pieces(1, 10)),
			() => blobs.get(newBlobKey()),
			() => blobs.remove(newBlobKey()),
		];
		return Promise.all(
			works.map(work =>
				work().then(
					() => 'done',
					(error: DomainError) => error.code,
				),
			),
		);
	};
	bucket.failWith = 403;
	t.deepEqual(new Set(await codes()), new Set(['store_unavailable']));
	bucket.stop();
	t.deepEqual(new Set(await codes()), new Set(['store_unavailable']));
});
