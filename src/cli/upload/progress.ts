import {Presets, SingleBar} from 'cli-progress';

export interface Progress {
	update(done: number, note: string): void;
	stop(): void;
}

const PLAIN_EVERY_MS = 5000;

/** A bar on a terminal, a plain line every five seconds elsewhere; on standard error, so that results stay clean. */
export function startProgress(total: number): Progress {
	return process.stderr.isTTY ? bar(total) : plainLines(total);
}

function bar(total: number): Progress {
	const single = new SingleBar(
		{
			format: '{bar} {percentage} %  {note}',
			stream: process.stderr,
			hideCursor: true,
			clearOnComplete: false,
		},
		Presets.shades_classic,
	);
	single.start(total, 0, {note: ''});
	return {
		update: (done, note) => single.update(Math.min(done, total), {note}),
		stop: () => single.stop(),
	};
}

function plainLines(total: number): Progress {
	let toldAt = performance.now();
	return {
		update(done, note) {
			if (performance.now() - toldAt < PLAIN_EVERY_MS) return;
			toldAt = performance.now();
			process.stderr.write(`${Math.floor((100 * Math.min(done, total)) / Math.max(1, total))} %  ${note}\n`);
		},
		stop() {},
	};
}
