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
