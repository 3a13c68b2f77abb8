import {BATCH_MARKER, singleActivity, strangersActivity, visit, visitOf} from './activities.ts';
import type {Load} from './load.ts';

/** Prepared single activities, shared out over the connections. */
const PREPARED = 8_192;
/** One in so many is of somebody new. */
const NEW_EVERY = 32;

/** Whole requests of a load, one after another for each of its connections. */
export type NextRequest = (connection: number) => Buffer;

export function requestsOf(load: Load): NextRequest {
	const {pathname, host} = new URL(load.url);
	const head =
		`POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\n` +
		`Content-Type: application/json\r\nAuthorization: Bearer ${load.token}\r\n`;
	const request = (body: string) =>
		Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
	return load.activitiesPerRequest === 1 ? singles(load, request) : batches(load, request);
}

/** Each connection repeats a share of the prepared ones; now and then somebody new comes. */
function singles({name, connections}: Load, request: (body: string) => Buffer): NextRequest {
	const share = Math.max(NEW_EVERY, Math.floor(PREPARED / connections));
	const atMs = Date.now() - 60_000;
	const prepared = Array.from({length: PREPARED}, (_, number) => request(singleActivity(number, atMs)));
	const sent = new Uint32Array(connections);
	let strangers = 0;
	return connection => {
		const index = sent[connection]!++ % share;
		if (index % NEW_EVERY === 0) return request(strangersActivity(name, ++strangers, Date.now()));
		return prepared[(connection * share + index) % PREPARED]!;
	};
}

function batches({name, activitiesPerRequest}: Load, request: (body: string) => Buffer): NextRequest {
	let number = 0;
	return () => {
		const atMs = Date.now() - 60_000;
		const texts = [visitOf(BATCH_MARKER, number, atMs)];
		while (texts.length < activitiesPerRequest) texts.push(visit(name, ++number, atMs, NEW_EVERY));
		return request(`[${texts.join(',')}]`);
	};
}
