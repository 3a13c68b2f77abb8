import type {Line} from './lines.ts';

export interface Batch {
	readonly lines: readonly Line[];
	/** Whether the file ends with it. */
	readonly isLast: boolean;
}

export interface BatchSize {
	readonly maxLines: number;
	/** Of the text; a single longer line makes a batch of its own. */
	readonly maxLength: number;
}

/** Cuts lines into batches, one read ahead of what is given out: that is how the last one is known. */
export async function* batchesOf(
	lines: AsyncIterable<Line>,
	{maxLines, maxLength}: BatchSize,
): AsyncGenerator<Batch> {
	let current: Line[] = [];
	let length = 0;
	for await (const line of lines) {
		if (current.length > 0 && (current.length >= maxLines || length + line.text.length > maxLength)) {
			yield {lines: current, isLast: false};
			current = [];
			length = 0;
		}
		current.push(line);
		length += line.text.length;
	}
	if (current.length > 0) yield {lines: current, isLast: true};
}
