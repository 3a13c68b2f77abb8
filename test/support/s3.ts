import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {buffer} from 'node:stream/consumers';
import type {ExecutionContext} from 'ava';

/** A bucket in memory that speaks what the official client says of the S3 interface. */
export interface TestBucket {
	readonly url: string;
	/** Contents by `/bucket/key`. */
	readonly objects: Map<string, Buffer>;
	/** Uploads in parts that were neither completed nor given up. */
	readonly uploads: Map<string, Map<number, Buffer>>;
	/** Answers all that comes with this status; undefined: as a bucket does. */
	failWith: number | undefined;
	/** `Authorization` and checksum headers of the requests so far. */
	readonly requests: {readonly method: string; readonly url: string; readonly authorization: string}[];
	stop(): void;
}

export async function startTestBucket(t: ExecutionContext<unknown>): Promise<TestBucket> {
	const bucket = {objects: new Map(), uploads: new Map(), failWith: undefined, requests: []} as unknown as {
		-readonly [Key in keyof TestBucket]: TestBucket[Key];
	};
	const server = createServer((request, response) => void answer(bucket, request, response));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	bucket.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	bucket.stop = () => {
		server.closeAllConnections();
		server.close();
	};
	t.teardown(bucket.stop);
	return bucket;
}

async function answer(bucket: TestBucket, request: IncomingMessage, response: ServerResponse): Promise<void> {
	const {pathname: key, searchParams: query} = new URL(request.url!, 'http://s3');
	const method = request.method!;
	bucket.requests.push({method, url: request.url!, authorization: request.headers.authorization ?? ''});
	const body = await buffer(request).catch(() => undefined);
	if (!body) return;
	const xml = (status: number, text: string, headers = {}) =>
		response.writeHead(status, {'content-type': 'application/xml', ...headers}).end(text);
	if (bucket.failWith !== undefined) return void xml(bucket.failWith, '<Error><Code>SlowDown</Code></Error>');
	const uploadId = query.get('uploadId') ?? '';
	const parts = bucket.uploads.get(uploadId);
	if (method === 'POST' && query.has('uploads')) {
		const id = String(bucket.requests.length);
		bucket.uploads.set(id, new Map());
		return void xml(
			200,
			`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
		);
	}
	if (method === 'PUT' && parts) {
		parts.set(Number(query.get('partNumber')), body);
		return void xml(200, '', {etag: `"part-${query.get('partNumber')}"`});
	}
	if (method === 'POST' && parts) {
		const order = [...parts.keys()].sort((a, b) => a - b);
		bucket.objects.set(key, Buffer.concat(order.map(number => parts.get(number)!)));
		bucket.uploads.delete(uploadId);
		return void xml(200, '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>');
	}
	if (method === 'DELETE' && parts) {
		bucket.uploads.delete(uploadId);
		return void xml(204, '');
	}
	if (method === 'PUT') {
		bucket.objects.set(key, body);
		return void xml(200, '', {etag: '"x"'});
	}
	if (method === 'DELETE') {
		bucket.objects.delete(key);
		return void xml(204, '');
	}
	const found = bucket.objects.get(key);
	if (!found) return void xml(404, '<Error><Code>NoSuchKey</Code><Message>none</Message></Error>');
	response.writeHead(200, {'content-length': found.length, etag: '"x"'}).end(found);
}
