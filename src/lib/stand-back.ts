import {setPriority} from 'node:os';

/** Of 0 to 19: in want of a processor some 0.4 of the time that a thread gets which accepts. */
const NICE = 4;

/**
 * From now on this thread, and those it starts, wait behind the ones that somebody waits for: when all processors are
 * busy, whoever posts is answered first (docs/adr/0017).
 */
export function standBack(): void {
	// Elsewhere a priority is the whole process's.
	if (process.platform !== 'linux') return;
	try {
		setPriority(NICE);
	} catch {
		// A sandbox may forbid it, and nothing but speed depends on it.
	}
}
