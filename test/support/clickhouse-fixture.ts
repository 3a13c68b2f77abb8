import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {Agent, createServer, request as httpRequest} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {startEmbeddedClickHouse} from '../../src/warehouse/embedded/embedded-clickhouse.ts';

export interface ClickHouseFixture {
	readonly url: string;
	readonly port: number;
	/** Of all bodies that it answered with. */
	answeredBytes(): number;
	stop(): Promise<void>;
}

/**
 * ClickHouse's HTTP interface as a server would answer it whose default user needs no password: the embedded engine
 * behind a relay that knows its secret. Same engine, same wire, same client; lanes and pins are the embedded ones.
 */
export async function startClickHouseFixture(): Promise<ClickHouseFixture> {
	const directory = mkdtempSync(join(tmpdir(), 'millrace-clickhouse-'));
	const engine = await startEmbeddedClickHouse({dataDir: directory});
	const {hostname, port: enginePort} = new URL(engine.url);
	const authorization = `Basic ${Buffer.from(`${engine.username}:${engine.password}`).toString('base64')}`;
	// A connection of its own for each: one that is kept may be closed under a request, by an engine on a busy machine.
	const agent = new Agent();
	let answered = 0;
	const relay = createServer((request, response) => {
		const onward = httpRequest(
			{
				agent,
				hostname,
				port: enginePort,
				method: request.method,
				path: request.url,
				headers: {...request.headers, authorization},
			},
			answer => {
				response.writeHead(answer.statusCode ?? 500, answer.headers);
				answer.on('data', (piece: Buffer) => {
					answered += piece.length;
				});
				answer.pipe(response);
			},
		);
		onward.on('error', () => response.destroy());
		response.on('close', () => {
			if (!response.writableEnded) onward.destroy();
		});
		request.on('error', () => onward.destroy());
		request.pipe(onward);
	});
	relay.listen(0, '127.0.0.1');
	await once(relay, 'listening');
	const {port} = relay.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		port,
		answeredBytes: () => answered,
		async stop() {
			relay.close();
			relay.closeAllConnections();
			agent.destroy();
			await engine.close();
			rmSync(directory, {recursive: true, force: true, maxRetries: 10});
		},
	};
}
