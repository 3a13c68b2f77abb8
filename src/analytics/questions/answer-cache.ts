import {LRUCache} from 'lru-cache';
import type {Answer, Asked} from '../../warehouse/warehouse.ts';

interface Kept {
	readonly answer: Answer;
	readonly version: string;
	/** When its question was put to the engine, by a clock that never goes back. */
	readonly askedMs: number;
}

/** What an answer weighs in memory for each byte of its text. */
const WEIGHT = 4;
/** What an entry weighs beside its answer and its statement. */
const ENTRY_BYTES = 500;

/**
 * Answers by the question's statement and values, each with the version of the data it is of. A version is read before
 * the question is put: an answer that has already seen more is kept under a version that nobody asks for again.
 */
export class AnswerCache {
	readonly #kept: LRUCache<string, Kept>;

	constructor(maxBytes: number) {
		this.#kept = new LRUCache({
			maxSize: maxBytes,
			// One answer does not push out all others.
			maxEntrySize: Math.ceil(maxBytes / 8),
			sizeCalculation: ({answer}, key) => ENTRY_BYTES + 2 * key.length + WEIGHT * answer.bytes,
		});
	}

	get bytes(): number {
		return this.#kept.calculatedSize;
	}

	/** The answer for data of exactly this version, and its age in ms. */
	find(key: string, version: string): {answer: Answer; ageMs: number} | undefined {
		const kept = this.#kept.get(key);
		if (kept?.version !== version) return undefined;
		return {answer: kept.answer, ageMs: performance.now() - kept.askedMs};
	}

	keep(key: string, version: string, answer: Answer, askedMs: number): void {
		this.#kept.set(key, {answer, version, askedMs});
	}
}

/** Equal questions have equal keys, whoever asks: datamart and period are among their values. */
export function keyOf({name, text, params}: Asked): string {
	return JSON.stringify([name, params, text]);
}
