import {appendFileSync, existsSync, readFileSync} from 'node:fs';

/**
 * What was sent and what was answered 200, on disk before the next request leaves. A request is a lane and a run of
 * numbers; a lane waits for each answer, so that its acknowledged numbers are in order of acceptance.
 */
export class Ledger {
	readonly #file: string;
	readonly sent = new Set<number>();
	/** Acknowledged numbers by lane, in order. */
	readonly acknowledged = new Map<string, number[]>();
	readonly #known = new Set<number>();
	#next = 0;

	constructor(file: string) {
		this.#file = file;
		if (!existsSync(file)) return;
		for (const line of readFileSync(file, 'utf8').split('\n')) {
			const [kind, lane, from, count] = line.split(' ');
			if (count === undefined) continue;
			const seqs = run(Number(from), Number(count));
			if (kind === 'S') this.#addSent(seqs);
			else this.#addAcknowledged(lane!, seqs);
		}
	}

	/** Takes numbers nobody had and notes that they are about to be sent. */
	send(lane: string, count: number): number[] {
		const seqs = run(this.#next, count);
		appendFileSync(this.#file, `S ${lane} ${seqs[0]} ${count}\n`);
		this.#addSent(seqs);
		return seqs;
	}

	acknowledge(lane: string, seqs: readonly number[]): void {
		const lines = runsOf(seqs).map(({from, count}) => `A ${lane} ${from} ${count}\n`);
		appendFileSync(this.#file, lines.join(''));
		this.#addAcknowledged(lane, seqs);
	}

	isAcknowledged(seq: number): boolean {
		return this.#known.has(seq);
	}

	get acknowledgedCount(): number {
		return this.#known.size;
	}

	#addSent(seqs: readonly number[]): void {
		for (const seq of seqs) this.sent.add(seq);
		this.#next = Math.max(this.#next, seqs.at(-1)! + 1);
	}

	#addAcknowledged(lane: string, seqs: readonly number[]): void {
		const known = this.acknowledged.get(lane) ?? [];
		this.acknowledged.set(lane, known);
		for (const seq of seqs) {
			known.push(seq);
			this.#known.add(seq);
		}
	}
}

function run(from: number, count: number): number[] {
	return Array.from({length: count}, (_, index) => from + index);
}

function runsOf(seqs: readonly number[]): {from: number; count: number}[] {
	const runs: {from: number; count: number}[] = [];
	for (const seq of seqs) {
		const last = runs.at(-1);
		if (last && last.from + last.count === seq) last.count += 1;
		else runs.push({from: seq, count: 1});
	}
	return runs;
}
