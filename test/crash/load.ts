import {setTimeout as delay} from 'node:timers/promises';
import type {Client} from '../support/service.ts';
import type {Ledger} from './ledger.ts';
import {promised} from './people.ts';
import {Random} from './random.ts';

/** A way of sending, and how hard. */
interface Lane {
	readonly name: string;
	readonly mostAtOnce: number;
	readonly mostPauseMs: number;
	/** Through the analyzer of a channel. */
	readonly isAnalysed?: true;
}

export const LANES: readonly Lane[] = [
	{name: 'single', mostAtOnce: 1, mostPauseMs: 4},
	{name: 'small', mostAtOnce: 40, mostPauseMs: 20},
	{name: 'large', mostAtOnce: 250, mostPauseMs: 60},
	{name: 'analysed', mostAtOnce: 30, mostPauseMs: 20, isAnalysed: true},
];

export interface LoadOptions {
	readonly client: Client;
	readonly datamart: string;
	/** One that has an analyzer; absent: nothing goes through any. */
	readonly analysedChannel?: string;
	readonly ledger: Ledger;
	/** Of the activities. */
	readonly seed: number;
	/** Of sizes and pauses. */
	readonly random: Random;
	/** Requests of former loads whose answer never came: what of them has a key is sent again. Filled as well. */
	readonly unanswered: number[][];
	/** Called for every answer that is neither 200 nor a 503 with Retry-After. */
	readonly onUnexpected: (what: string) => void;
}

let repeats = 0;

/** Posts until told to stop, or until nobody answers any more. */
export class Load {
	readonly #options: LoadOptions;
	readonly #lanes: Promise<void>[];
	#stopped = false;
	#inFlight = 0;
	/** How many activities were sent once more. */
	sentAgain = 0;
	/** Answers by status, 0 for none. */
	readonly answers = new Map<number, number>();

	constructor(options: LoadOptions) {
		this.#options = options;
		const lanes = LANES.filter(lane => !lane.isAnalysed || options.analysedChannel !== undefined);
		this.#lanes = lanes.map(lane => this.#run(lane, new Random(options.random.between(0, 2 ** 31))));
	}

	get inFlight(): number {
		return this.#inFlight;
	}

	/** From now on a connection that breaks is no surprise. */
	expectEnd(): void {
		this.#stopped = true;
	}

	async end(): Promise<void> {
		this.#stopped = true;
		await Promise.all(this.#lanes);
	}

	async #run({name, mostAtOnce, mostPauseMs, isAnalysed}: Lane, random: Random): Promise<void> {
		const {ledger, unanswered, seed} = this.#options;
		while (!this.#stopped) {
			const again = unanswered.shift();
			const seqs = again ?? ledger.send(name, random.between(1, mostAtOnce));
			if (again) this.sentAgain += seqs.length;
			// What was accepted the first time stands before its neighbours of now: a lane of its own.
			const status = await this.#post(again ? `again-${repeats++}` : name, seqs, isAnalysed);
			if (status !== 200) unanswered.push(seqs.filter(seq => promised(seed, seq).isKeyed));
			this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
			if (status === 0) return;
			await delay(status === 503 ? 100 : random.between(0, mostPauseMs));
		}
	}

	async #post(lane: string, seqs: readonly number[], isAnalysed = false): Promise<number> {
		const {client, datamart, analysedChannel, ledger, seed, onUnexpected} = this.#options;
		if (seqs.length === 0) return 200;
		const more = isAnalysed ? {$site_id: analysedChannel} : {};
		const bodies = seqs.map(seq => ({...promised(seed, seq).activity, ...more}));
		this.#inFlight += 1;
		const answer = await client
			.post(`${datamart}/user_activities`, bodies.length === 1 ? bodies[0] : bodies)
			.catch((error: Error) => error);
		this.#inFlight -= 1;
		if (answer instanceof Error) {
			if (!this.#stopped) onUnexpected(`no answer: ${answer.message} ${String(answer.cause ?? '')}`);
			return 0;
		}
		const {status, headers, body} = answer;
		if (status === 200) {
			const refused = body.data?.records?.find((record: {result: string}) => record.result === 'rejected');
			if (refused) onUnexpected(`200 with ${JSON.stringify(refused)}`);
			else ledger.acknowledge(lane, seqs);
		} else if (status !== 503 || !headers.get('retry-after')) {
			onUnexpected(`${status} ${JSON.stringify(body).slice(0, 300)}`);
		}
		return status;
	}
}
