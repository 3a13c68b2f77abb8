const FIRST_MS = 250;
const LONGEST_MS = 10_000;

/** Ever longer, and never the same twice: clients that were cut off together do not come back together. */
export function backOffMs(attempt: number, random: () => number = Math.random): number {
	return Math.round(Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)) * (0.75 + random() / 2));
}

/** `Retry-After` in ms: seconds, or a date. */
export function retryAfterMsOf(header: string | null, nowMs = Date.now()): number | undefined {
	if (header === null || header.trim() === '') return undefined;
	if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
	const date = Date.parse(header);
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** Rejects with the signal's reason as soon as it is aborted. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		if (signal?.aborted) return reject(signal.reason);
		const stop = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener('abort', stop);
			resolve();
		}, ms);
		signal?.addEventListener('abort', stop, {once: true});
	});
}
