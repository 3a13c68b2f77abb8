import type {IncomingMessage} from 'node:http';
import {Readable} from 'node:stream';
import {buffer} from 'node:stream/consumers';
import {gzipSync} from 'node:zlib';
import test from 'ava';
import type {DomainError} from '../../src/errors.ts';
import {streamBody} from '../../src/http/body-stream.ts';
import {uploadOf} from '../../src/http/upload.ts';

const FORM = 'multipart/form-data; boundary=X-1';

async function* sent(text: string, size = 7): AsyncGenerator<Buffer> {
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const part = (disposition: string, text: string, type = '') =>
	`--X-1\r\nContent-Disposition: form-data; ${disposition}\r\n${type && `Content-Type: ${type}\r\n`}\r\n${text}\r\n`;
const form = (...parts: string[]) => `${parts.join('')}--X-1--\r\n`;

async function readUpload(contentType: string | undefined, text: string) {
	const headers = contentType === undefined ? {} : {'content-type': contentType};
	const {content, ...upload} = await uploadOf(headers, sent(text));
	return {...upload, text: (await buffer(content)).toString()};
}

async function failureOf(work: Promise<unknown>) {
	const error = (await work.then(
		() => undefined,
		(thrown: unknown) => thrown,
	)) as DomainError | undefined;
	return error && [error.code, error.faults[0]?.pointer];
}

test('a body is the file itself, under any content type or none', async t => {
	t.deepEqual(await readUpload('text/csv', 'a,b'), {
		text: 'a,b',
		name: undefined,
		contentType: 'text/csv',
		fields: {},
	});
	t.like(await readUpload(undefined, ''), {text: '', contentType: undefined});
});

test('of a form the first file is taken, with its name and type, and the fields on both sides of it', async t => {
	const text = form(
		part('name="type"', 'before'),
		part('name="file"; filename="Ünits.json"', '[\r\n--X-0\r\n1]', 'application/json'),
		part('name="later"', 'after'),
		part('name="file2"; filename="b.json"', 'ignored'),
	);
	t.deepEqual(await readUpload(FORM, text), {
		text: '[\r\n--X-0\r\n1]',
		name: 'Ünits.json',
		contentType: 'application/json',
		fields: {type: 'before', later: 'after'},
	});
});

test('a field named file stands for a file, and a form without either is refused by that name', async t => {
	t.like(await readUpload(FORM, form(part('name="file"', '[]'))), {text: '[]'});
	t.deepEqual(await failureOf(readUpload(FORM, form(part('name="other"', '[]')))), [
		'field_invalid',
		'/file',
	]);
});

test('a body that is no form is taken as it is, even where its header says that it is one', async t => {
	for (const type of ['multipart/form-data', FORM]) {
		for (const text of ['[{"id": "1"}]', '-', ''])
			t.like(await readUpload(type, text), {text, contentType: undefined}, `${type} ${text}`);
	}
});

test('a form that is cut off anywhere is refused, never taken for a shorter file', async t => {
	const text = form(
		part('name="type"', 'x'),
		part('name="file"; filename="a"', 'some content', 'text/plain'),
	);
	for (let length = 10; length < text.length - 4; length += 3) {
		const failure = await failureOf(readUpload(FORM, text.slice(0, length)));
		t.true(failure?.[0] === 'body_unreadable' || failure?.[1] === '/file', `${length}: ${failure}`);
	}
});

test('a body that breaks inside a file says why', async t => {
	async function* broken(): AsyncGenerator<Buffer> {
		yield Buffer.from(part('name="file"; filename="a"', 'x'.repeat(100_000)));
		throw new Error('the line is cut');
	}
	const {content} = await uploadOf({'content-type': FORM}, broken());
	t.deepEqual(await failureOf(buffer(content)), ['body_unreadable', undefined]);
});

test('whoever stops reading a file ends the body with it', async t => {
	let isEnded = false;
	async function* endless(): AsyncGenerator<Buffer> {
		try {
			yield Buffer.from(part('name="file"; filename="a"', 'x').slice(0, -2));
			for (;;) yield Buffer.alloc(1000, 'x');
		} finally {
			isEnded = true;
		}
	}
	const {content} = await uploadOf({'content-type': FORM}, endless());
	for await (const piece of content) if (piece.length > 0) break;
	await new Promise(resolve => setImmediate(resolve));
	t.true(isEnded);
});

function request(bytes: Buffer, headers: Record<string, string> = {}): IncomingMessage {
	return Object.assign(Readable.from([bytes.subarray(0, 3), bytes.subarray(3)], {objectMode: false}), {
		headers,
	}) as unknown as IncomingMessage;
}

test('a streamed body is unpacked on its way, and its limit holds for what comes out', async t => {
	const packed = gzipSync(Buffer.alloc(1_000_000));
	const gzip = {'content-encoding': 'gzip'};
	t.is((await buffer(streamBody(request(packed, gzip), 1_000_000))).length, 1_000_000);
	t.deepEqual(await failureOf(buffer(streamBody(request(packed, gzip), 999_999))), [
		'body_too_large',
		undefined,
	]);
	t.deepEqual(await failureOf(buffer(streamBody(request(Buffer.alloc(11)), 10))), [
		'body_too_large',
		undefined,
	]);
	const cut = packed.subarray(0, 100);
	t.deepEqual(await failureOf(buffer(streamBody(request(cut, gzip), 1_000_000))), [
		'body_unreadable',
		undefined,
	]);
	const odd = request(packed, {'content-encoding': 'rot13'});
	t.deepEqual(await failureOf(buffer(streamBody(odd, 10_000))), ['encoding_unsupported', undefined]);
});
