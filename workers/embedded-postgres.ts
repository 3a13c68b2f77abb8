/**
 * The thread that hosts the embedded PostgreSQL: opens the data directory and serves it on a unix socket.
 * In: `{dataDirectory, socketPath, idleInTransactionMs}` as workerData, then the message `close`. Out: `ready`.
 */
import {mkdir} from 'node:fs/promises';
import {parentPort, workerData} from 'node:worker_threads';
import {Gate} from '../src/postgres/embedded/gate.ts';
import {answerOf, openSynced} from '../src/postgres/embedded/synced-engine.ts';

export interface EmbeddedPostgresData {
	readonly dataDirectory: string;
	readonly socketPath: string;
	readonly idleInTransactionMs: number;
}

const {dataDirectory, socketPath, idleInTransactionMs} = workerData as EmbeddedPostgresData;

await mkdir(dataDirectory, {recursive: true, mode: 0o700});
const engine = await openSynced(dataDirectory);

function die(error: unknown): void {
	// An uncaught error ends the thread; its parent starts another.
	queueMicrotask(() => {
		throw error;
	});
}

const gate = new Gate(messages => answerOf(engine, messages), {idleInTransactionMs, onFatal: die});
await gate.listen(socketPath);

parentPort?.once('message', async () => {
	await gate.close();
	await engine.close();
	parentPort?.close();
});
parentPort?.postMessage('ready');
