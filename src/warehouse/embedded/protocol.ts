/** Which sessions a request may occupy on the embedded engine; a server ignores the header. */
export const LANE_HEADER = 'X-Millrace-Lane';

/** One connection of the engine runs one statement at a time, so each kind of work has sessions of its own: how many. */
export const LANES = {light: 3, heavy: 2, write: 1, command: 1, control: 1} as const;
export type Lane = keyof typeof LANES;

/** Who may ask, on loopback: the parent of the child process alone, by a secret of this start. */
export const EMBEDDED_USER = 'millrace';

/** Parent to child. */
export type ToHost =
	| {readonly kind: 'open'; readonly dataDir: string; readonly port: number; readonly password: string}
	| {readonly kind: 'stop'};

/** Child to parent: it listens, or it does not and says why. */
export type FromHost =
	| {readonly kind: 'listening'; readonly port: number}
	| {readonly kind: 'failed'; readonly message: string};
