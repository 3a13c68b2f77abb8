import {DomainError} from '../../errors.ts';
import type {Principal} from '../../identity/principal.ts';
import type {Datamart} from '../../tenants/directory.ts';

/** Who asks, and how their answer is reached. */
export interface Asker {
	readonly principal: Principal;
	/** Absent: the question is over no datamart in particular. */
	readonly datamart: Datamart | undefined;
	/** Aborted when they go away. */
	readonly signal: AbortSignal;
	readonly setHeader: (name: string, value: string) => void;
}

/** A request that asks the warehouse something, perhaps in several statements. */
export class AskedQuestion {
	readonly id: string;
	readonly asker: Asker;
	readonly organisationId: number;
	readonly startedMs: number;
	/** Of the last statement that began. */
	name = '';
	readonly #cancelled = new AbortController();
	readonly #signal: AbortSignal;
	#statements = 0;
	#open = 0;
	#waiting = 0;

	constructor(id: string, asker: Asker, organisationId: number, startedMs: number) {
		this.id = id;
		this.asker = asker;
		this.organisationId = organisationId;
		this.startedMs = startedMs;
		this.#signal = AbortSignal.any([asker.signal, this.#cancelled.signal]);
	}

	/** Aborted when the caller goes away, or somebody cancels. */
	get signal(): AbortSignal {
		return this.#signal;
	}

	get isOpen(): boolean {
		return this.#open > 0;
	}

	/** None of its statements has a slot. */
	get isWaiting(): boolean {
		return this.#waiting === this.#open;
	}

	/** The id of a new statement: the question's own, then with a number, as no two may run under one. */
	begin(name: string): string {
		this.name = name;
		this.#open += 1;
		this.#statements += 1;
		return this.#statements === 1 ? this.id : `${this.id}-${this.#statements}`;
	}

	end(): void {
		this.#open -= 1;
	}

	async waitFor<Result>(turn: Promise<Result>): Promise<Result> {
		this.#waiting += 1;
		try {
			return await turn;
		} finally {
			this.#waiting -= 1;
		}
	}

	/** The caller is answered `query_cancelled` at once. */
	cancel(): void {
		this.#cancelled.abort(new DomainError('query_cancelled', 'the query was cancelled'));
	}
}

/** Whose share a question is of: a person with all their tokens, a channel, a plugin worker. */
export function callerOf(principal: Principal): string {
	switch (principal.kind) {
		case 'user':
			return `user ${principal.userId}`;
		case 'channel':
			return `channel ${principal.channelId}`;
		default:
			return `worker ${principal.credentialId}`;
	}
}
