import type {Secrets} from '../../lib/secrets.ts';

/** Where a version's plugin worker listens and what it and Millrace know each other by. Plain data: threads take it. */
export interface PluginWorker {
	readonly pluginVersionId: number;
	/** `http://host:port` with an optional path, no slash at the end. */
	readonly url: string;
	readonly workerId: string;
	/** In the clear: never log it, never answer it. */
	readonly authenticationToken: string;
	/** Calls a second over all instances of the version; null: no limit. */
	readonly maxQps: number | null;
}

const PURPOSE = 'plugin worker token';

/** An authentication token as it is stored. */
export function sealToken(secrets: Secrets, token: string): Buffer {
	return secrets.seal(PURPOSE, token);
}

export function openToken(secrets: Secrets, sealed: Buffer): string {
	return secrets.open(PURPOSE, sealed).toString('utf8');
}
