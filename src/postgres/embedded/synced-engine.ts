import {closeSync, fdatasyncSync, fsyncSync, openSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {PGlite} from '@electric-sql/pglite';
import {NodeFS} from '@electric-sql/pglite/nodefs';

/** Of the Emscripten module: what is mounted for files of the host. */
interface HostFiles {
	readonly FS: {
		readonly filesystems: {
			readonly NODEFS: {stream_ops: {fsync?: (stream: {nfd: number}) => number}};
		};
	};
}

/** The host's files with a sync that syncs: the engine's own build has none, and its COMMIT would stay in memory. */
class SyncedFiles extends NodeFS {
	override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
		const {emscriptenOpts} = await super.init(...args);
		const addSync = ({FS}: HostFiles) => {
			FS.filesystems.NODEFS.stream_ops.fsync = ({nfd}) => {
				fdatasyncSync(nfd);
				return 0;
			};
		};
		const preRun = [...(emscriptenOpts.preRun ?? []), addSync as never];
		return {emscriptenOpts: {...emscriptenOpts, preRun}};
	}
}

/**
 * PGlite with `fsync` on: a transaction that is answered survives a power cut. Of the sync methods only `fsync` reaches
 * the host's files (its fdatasync is a no-op); `-F`, among the engine's own start parameters, would switch all off.
 */
export async function openSynced(dataDirectory: string): Promise<PGlite> {
	const isNew = readdirSync(dataDirectory).length === 0;
	const engine = await PGlite.create({
		fs: new SyncedFiles(dataDirectory),
		startParams: [
			...PGlite.defaultStartParams.filter(parameter => parameter !== '-F'),
			'-c',
			'wal_sync_method=fsync',
		],
	});
	// initdb writes without a sync.
	if (isNew) syncTree(dataDirectory);
	return engine;
}

/**
 * Runs protocol messages; the bytes of the answer are the caller's. By the stream: PGlite's other calls also parse each
 * answer for listeners of their own, at five times the CPU, and keep what they read until one of them asks for it.
 */
export async function answerOf(engine: PGlite, messages: Uint8Array): Promise<Uint8Array> {
	const pieces: Buffer[] = [];
	await engine.execProtocolRawStream(messages, {
		// Copied: the engine writes the next piece into the same memory.
		onRawData: piece => void pieces.push(Buffer.from(piece)),
	});
	return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

function syncTree(directory: string): void {
	for (const entry of readdirSync(directory, {withFileTypes: true})) {
		const path = join(directory, entry.name);
		if (entry.isDirectory()) syncTree(path);
		else if (entry.isFile()) sync(path);
	}
	sync(directory);
}

function sync(path: string): void {
	const fd = openSync(path, 'r');
	try {
		fsyncSync(fd);
	} finally {
		closeSync(fd);
	}
}
