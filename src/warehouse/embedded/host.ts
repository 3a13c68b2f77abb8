/** The child process that holds the embedded engine; see docs/adr/0002. Started by `embedded-clickhouse.ts` alone. */
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {standBack} from '../../lib/stand-back.ts';
import {httpInterface} from './http-interface.ts';
import {Incoming} from './incoming.ts';
import type {FromHost, ToHost} from './protocol.ts';
import {SessionPool} from './session-pool.ts';
import {syncNames} from './sync-names.ts';

/** Close to what the parent waits before it kills: acknowledged rows are safe either way. */
const GRACE_MS = 4_000;

// Before the engine is loaded: its threads take after this one.
standBack();

let pool: SessionPool | undefined;
let server: Server | undefined;
let stopping = false;

process.on('message', (message: ToHost) => {
	if (message.kind === 'open') void open(message);
	else void stop();
});
// The parent is gone, however it went: nobody is left to ask, and the directory must become free.
process.on('disconnect', () => void stop());
// Service managers signal the whole group as well; without a parent it is meant for us.
process.on('SIGTERM', () => {
	if (!process.connected) void stop();
});
// Ctrl-C reaches the whole group; the parent decides when the engine ends.
process.on('SIGINT', () => undefined);

async function open({dataDir, port, password}: Extract<ToHost, {kind: 'open'}>): Promise<void> {
	try {
		pool = new SessionPool(dataDir);
		await syncNames(dataDir);
		const handle = httpInterface(pool, new Incoming(dataDir), password);
		server = createServer({keepAliveTimeout: 10_000, requestTimeout: 0, maxHeaderSize: 64 * 1024});
		server.on('request', (request, response) => void handle(request, response));
		await new Promise<void>((resolve, reject) => {
			server!.once('error', reject).listen(port, '127.0.0.1', resolve);
		});
		tell({kind: 'listening', port: (server.address() as AddressInfo).port});
	} catch (thrown) {
		tell({kind: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown)});
		await stop();
	}
}

async function stop(): Promise<void> {
	if (stopping) return;
	stopping = true;
	// A statement that does not end must not hold the directory: leaving hard loses nothing acknowledged.
	setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS + 1_000).unref();
	server?.close();
	await pool?.close(process.connected ? GRACE_MS : 500);
	process.exit(0);
}

function tell(message: FromHost): void {
	if (process.connected) process.send?.(message);
}
