import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {ExecutionContext} from 'ava';
import {pino} from 'pino';
import {createApp} from '../../src/app.ts';
import type {MountOptions} from '../../src/http/gate.ts';
import {mount} from '../../src/http/mount.ts';
import type {Route} from '../../src/http/route.ts';
import {Metrics} from '../../src/operations/metrics.ts';
import {Readiness} from '../../src/operations/readiness.ts';

/** Some routes in the whole Koa app (CORS, errors, metrics), without engines; resolves to its address. */
export async function serveApp(
	t: ExecutionContext<unknown>,
	routes: readonly Route[] | undefined,
	options: Omit<MountOptions, 'maxBodyBytes'>,
): Promise<string> {
	const {listener, admit} = createApp({
		log: pino({level: 'silent'}),
		metrics: new Metrics(),
		readiness: new Readiness([]),
		brands: ['svc', 'mics'],
	});
	if (routes) admit(mount(routes, {...options, maxBodyBytes: 1000}));
	const server = createServer(listener).listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
