import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {brotliCompressSync, deflateSync, gzipSync} from 'node:zlib';
import {compress} from '@bokuweb/zstd-wasm';
import anyTest, {type TestFn} from 'ava';
import {DomainError} from '../../src/errors.ts';
import {readBody} from '../../src/http/body.ts';
import {statusOf} from '../../src/http/problem.ts';
import {unzstd} from '../../src/http/zstd.ts';

const LIMIT = 200_000;
const TEXT = Buffer.from(JSON.stringify({$type: 'SITE_VISIT', filler: 'où → '.repeat(5000)}));

interface Answer {
	readonly status: number;
	readonly code?: string;
	readonly message?: string;
	readonly text?: string;
}

const test = anyTest as TestFn<{url: string; stop: () => void}>;

/** Answers what `readBody` makes of a request, as the service's door would. */
test.before(async t => {
	// The library stands initialising once only; its first user does it.
	await unzstd(streamed([1]), 1);
	const server = createServer(async (request, response) => {
		try {
			const bytes = await readBody(request, LIMIT);
			response.end(JSON.stringify({status: 200, text: bytes.toString('utf8')}));
		} catch (error) {
			const known = error instanceof DomainError ? error : new DomainError('internal_error', String(error));
			response.shouldKeepAlive = false;
			response.end(JSON.stringify({status: statusOf(known.code), code: known.code, message: known.message}));
		}
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.context = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		stop() {
			server.closeAllConnections();
			server.close();
		},
	};
});
test.after.always(t => t.context.stop?.());

async function send(url: string, encoding: string, body: Buffer): Promise<Answer> {
	const response = await fetch(url, {
		method: 'POST',
		headers: {'content-encoding': encoding},
		body: new Uint8Array(body),
	});
	return (await response.json()) as Answer;
}

const zstd = (bytes: Buffer) => Buffer.from(compress(bytes));

const ENCODINGS: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
	['gzip', bytes => gzipSync(bytes)],
	['x-gzip', bytes => gzipSync(bytes)],
	['deflate', bytes => deflateSync(bytes)],
	['br', bytes => brotliCompressSync(bytes)],
	['zstd', zstd],
	['ZSTD', zstd],
];

for (const [encoding, pack] of ENCODINGS) {
	test(`a ${encoding} body arrives as it was before packing`, async t => {
		t.deepEqual(await send(t.context.url, encoding, pack(TEXT)), {status: 200, text: TEXT.toString()});
	});

	test(`a ${encoding} body that is exactly as long as allowed is taken, a byte more is not`, async t => {
		const full = Buffer.alloc(LIMIT, 'x');
		t.is((await send(t.context.url, encoding, pack(full))).text?.length, LIMIT);
		const over = await send(t.context.url, encoding, pack(Buffer.alloc(LIMIT + 1, 'x')));
		t.is(over.status, 413);
	});

	test(`a ${encoding} body cut off anywhere is refused as unreadable`, async t => {
		const packed = pack(TEXT);
		for (const length of [1, 5, 12, packed.length >> 1, packed.length - 1]) {
			const {status, code} = await send(t.context.url, encoding, packed.subarray(0, length));
			t.deepEqual({status, code}, {status: 400, code: 'body_unreadable'}, `${length} bytes`);
		}
	});

	test(`a ${encoding} body that is something else is refused as unreadable`, async t => {
		t.is(
			(await send(t.context.url, encoding, Buffer.from('{"$type":"SITE_VISIT"}'))).code,
			'body_unreadable',
		);
	});

	test(`a small ${encoding} body that unpacks to 64 MB is refused, and told the limit in bytes`, async t => {
		const bomb = pack(Buffer.alloc(64 * 1024 * 1024));
		t.true(bomb.length < LIMIT, 'it would pass if only the packed bytes were counted');
		const {status, code, message} = await send(t.context.url, encoding, bomb);
		t.deepEqual({status, code}, {status: 413, code: 'body_too_large'});
		t.regex(message!, /\b200000 bytes\b/);
	});

	test(`a ${encoding} body is also limited while it is packed`, async t => {
		const noise = Buffer.alloc(LIMIT + 1);
		for (let at = 0; at < noise.length; at++) noise[at] = (at * 2_654_435_761) >>> 11;
		t.is((await send(t.context.url, encoding, noise)).code, 'body_too_large');
	});
}

test('an encoding nobody knows is named in the refusal, and so are the known ones', async t => {
	for (const encoding of ['snappy', 'gzip, br', 'constructor']) {
		const {status, message} = await send(t.context.url, encoding, TEXT);
		t.is(status, 415);
		t.true(message!.includes(encoding));
		t.true(message!.includes('gzip, deflate, br, zstd'));
	}
});

/** A frame that does not tell its length, as streams are: one byte, repeated `size` times in each block. */
function streamed(sizes: readonly number[], byte = 0x61): Buffer {
	const blocks = sizes.map((size, index) => {
		const header = (size << 3) | (1 << 1) | Number(index === sizes.length - 1);
		return Buffer.from([header & 255, (header >> 8) & 255, (header >> 16) & 255, byte]);
	});
	return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58]), ...blocks]);
}

test('zstd frames that do not tell their length are unpacked as far as allowed', async t => {
	t.is((await send(t.context.url, 'zstd', streamed([131_072, 68_928]))).text, 'a'.repeat(LIMIT));
	t.is((await send(t.context.url, 'zstd', streamed([131_072, 68_929]))).status, 413);
	t.is((await send(t.context.url, 'zstd', streamed([0]))).text, '');
});

test('several zstd frames, skippable ones among them, are one body with one limit', async t => {
	const skippable = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
	const body = Buffer.concat([
		skippable,
		zstd(Buffer.from('{"a":')),
		streamed([2], 0x31),
		zstd(Buffer.from('}')),
	]);
	t.is((await send(t.context.url, 'zstd', body)).text, '{"a":11}');
	const half = zstd(Buffer.alloc(LIMIT / 2 + 1, 'x'));
	t.is((await send(t.context.url, 'zstd', Buffer.concat([half, half]))).status, 413);
	const empty = streamed([0]);
	t.is((await send(t.context.url, 'zstd', Buffer.concat(Array(64).fill(empty)))).status, 200);
	t.is((await send(t.context.url, 'zstd', Buffer.concat(Array(65).fill(empty)))).code, 'body_unreadable');
});

test.serial('a zstd frame that only claims to be huge costs nothing', async t => {
	const frame = zstd(TEXT);
	// 8 bytes of content length and no window: the largest claim a header can make.
	const claim = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0]), Buffer.alloc(8, 0xff)]);
	const before = process.memoryUsage().rss;
	const body = Buffer.concat([claim.fill(0x7f, 12), Buffer.from([1, 0, 0])]);
	t.is((await send(t.context.url, 'zstd', body)).status, 413);
	t.is((await send(t.context.url, 'zstd', frame)).status, 200, 'and the next body is served');
	t.true(process.memoryUsage().rss - before < 50e6);
});

test.serial('6 GB in 200 KB of zstd are given up at the limit', async t => {
	const bomb = streamed(Array(49_000).fill(131_071));
	t.true(bomb.length < LIMIT);
	const before = process.memoryUsage().rss;
	const began = performance.now();
	for (let round = 0; round < 20; round++) t.is((await send(t.context.url, 'zstd', bomb)).status, 413);
	t.true(performance.now() - began < 5000);
	t.true(process.memoryUsage().rss - before < 50e6, 'nor does it leave anything behind');
});

test('a zstd body damaged inside harms nobody else', async t => {
	const packed = zstd(TEXT);
	let refused = 0;
	for (let at = 9; at < packed.length; at += 7) {
		const damaged = Buffer.from(packed);
		damaged[at]! ^= 0x55;
		const {status} = await send(t.context.url, 'zstd', damaged);
		// Without a checksum in the frame some damage cannot be seen here; JSON may tell.
		t.true([200, 400, 413].includes(status));
		if (status !== 200) refused += 1;
	}
	t.true(refused > 0);
	t.is((await send(t.context.url, 'zstd', packed)).text, TEXT.toString());
});
