import {createHash} from 'node:crypto';

/** Scattered over the index as real keys are. */
export function numberedKey(number: number): Buffer {
	return createHash('sha256').update(String(number)).digest().subarray(0, 16);
}
