import {getPriority, setPriority} from 'node:os';

/** So much nicer than who accepts: where processors are short, some 0.4 of the time that a thread gets which does. */
export const NICER = 4;
const NICEST = 19;

/**
 * From now on this thread, and those it starts, wait behind the ones that somebody waits for: when all processors are
 * busy, whoever posts is answered first (docs/adr/0017).
 */
export function standBack(): void {
	// Elsewhere a priority is the whole process's.
	if (process.platform !== 'linux') return;
	try {
		setPriority(Math.min(getPriority() + NICER, NICEST));
	} catch {
		// A sandbox may forbid it, and nothing but speed depends on it.
	}
}
