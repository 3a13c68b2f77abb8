import type {IncomingHttpHeaders} from 'node:http';
import type {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {Busboy} from '@fastify/busboy';
import {DomainError, invalidField} from '../errors.ts';
import {tooLarge, unreadable} from './body.ts';

/** One file as a client sends it. */
export interface Upload {
	/** To be read to its end, or left. Errors: those of the body, `body_unreadable` where a form is cut off. */
	readonly content: AsyncIterable<Buffer>;
	/** As a form calls it. */
	readonly name: string | undefined;
	/** Of the file: of the form's part, or the request's own. */
	readonly contentType: string | undefined;
	/** The form's other fields; those after the file are there once it was read. */
	readonly fields: Readonly<Record<string, string>>;
}

/** What a form may add to its file. */
export const FORM_BYTES = 64 * 1024;

const LIMITS = {files: 1, fields: 20, parts: 30, fieldNameSize: 100, fieldSize: 1024 * 1024};

/**
 * The file of a request: the first one of a `multipart/form-data` body, else the body as it is. Clients in the field send
 * plain JSON under a form's content type: a body that does not begin as a form is taken as it is too.
 * Errors: `field_invalid` naming `/file` where a form has none, `body_unreadable`, those of the body.
 */
export async function uploadOf(headers: IncomingHttpHeaders, body: AsyncIterable<Buffer>): Promise<Upload> {
	const type = headers['content-type'] ?? '';
	const boundary = /^multipart\/form-data\s*;.*boundary=("?)([^";]+)\1/i.exec(type)?.[2];
	if (boundary === undefined) {
		const contentType = /^multipart\//i.test(type) ? undefined : type || undefined;
		return {content: body, name: undefined, contentType, fields: {}};
	}
	const {start, all} = await begin(body, boundary.length + 4);
	const isForm = start.toString('latin1').replace(/^\r\n/, '').startsWith(`--${boundary}`);
	return isForm ? readForm(type, all) : {content: all, name: undefined, contentType: undefined, fields: {}};
}

/** The first bytes of a body, and all of it. */
async function begin(body: AsyncIterable<Buffer>, bytes: number) {
	const pieces = body[Symbol.asyncIterator]();
	let start = Buffer.alloc(0);
	while (start.length < bytes) {
		const {done, value} = await pieces.next();
		if (done) break;
		start = Buffer.concat([start, value]);
	}
	async function* all(): AsyncGenerator<Buffer> {
		try {
			if (start.length > 0) yield start;
			yield* {[Symbol.asyncIterator]: () => pieces};
		} finally {
			await pieces.return?.();
		}
	}
	return {start, all: all()};
}

async function readForm(type: string, body: AsyncIterable<Buffer>): Promise<Upload> {
	const form = new Busboy({headers: {'content-type': type}, limits: LIMITS});
	const fields: Record<string, string> = {};
	form.on('field', (name, value, _isNameCut, isCut) => {
		if (isCut) form.destroy(tooLarge(LIMITS.fieldSize));
		fields[name] = value;
	});
	const file = new Promise<Upload>(resolve => {
		form.on('file', (_name, stream, name, _encoding, contentType) => {
			// A form that breaks does not end its parts by itself.
			fed.catch((error: Error) => stream.destroy(error));
			resolve({content: contentOf(stream, form, fed), name, contentType, fields});
		});
	});
	const fed = pipeline(body, form);
	const ended = fed.then(
		() => undefined,
		(error: unknown) => {
			throw told(error);
		},
	);
	// Whoever reads the content is told of it there.
	ended.catch(() => {});
	const found = await Promise.race([file, ended]);
	if (found) return found;
	if (fields.file === undefined) throw invalidField('/file', 'the form has no file');
	const {file: text, ...others} = fields;
	return {content: once(Buffer.from(text)), name: undefined, contentType: undefined, fields: others};
}

async function* contentOf(
	stream: Readable,
	form: Readonly<{destroy(): unknown}>,
	fed: Promise<void>,
): AsyncGenerator<Buffer> {
	let isWhole = false;
	try {
		for await (const piece of stream) yield piece as Buffer;
		await fed;
		isWhole = true;
	} catch (error) {
		// Where the body itself broke, that is the reason.
		throw told(
			await fed.then(
				() => error,
				(cause: unknown) => cause,
			),
		);
	} finally {
		if (!isWhole) form.destroy();
	}
}

function told(error: unknown): DomainError {
	return error instanceof DomainError ? error : unreadable(error);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
	yield bytes;
}
