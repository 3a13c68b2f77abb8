import {DomainError} from '../../errors.ts';

/** What can be wrong with a call to a plugin worker, in words for its developer: no address, no word of the data. */
const FAULTS = {
	missing: 'no plugin worker is set for this version',
	address_refused: 'the address of the plugin worker is not in a network that may be called',
	request_too_large: 'the request is larger than a plugin worker takes',
	unreachable: 'the plugin worker cannot be reached',
	timed_out: 'the plugin worker did not answer in time',
	busy: 'the plugin worker was busy at every try',
	resting: 'the plugin worker failed several times in a row and is left alone for a while',
	overloaded: 'more calls wait for the plugin worker than can be made',
	error_status: 'the plugin worker answered an error status',
	answer_cut: 'the plugin worker closed the connection in the middle of its answer',
	answer_too_large: 'the answer of the plugin worker is too large',
	answer_invalid: 'the plugin worker did not answer JSON',
	answer_unexpected: 'the answer of the plugin worker does not have the shape it should',
	aborted: 'the call was given up',
} as const;

export type WorkerFault = keyof typeof FAULTS;

interface About {
	readonly detail?: string;
	/** Of the answer, where it had one. */
	readonly status?: number;
	readonly tries?: number;
	/** Whether its request may have reached the plugin worker although nothing came back. */
	readonly mayHaveArrived?: boolean;
	readonly cause?: unknown;
}

/** A call to a plugin worker that came to nothing. */
export class WorkerError extends DomainError {
	readonly fault: WorkerFault;
	readonly status: number | undefined;
	/** How often the plugin worker was called; 0 where it never was. */
	readonly tries: number;
	readonly mayHaveArrived: boolean;
	readonly #about: About;

	constructor(fault: WorkerFault, about: About = {}) {
		const {detail, status, tries = 0, mayHaveArrived = false, cause} = about;
		super('plugin_worker_failed', detail ? `${FAULTS[fault]}: ${detail}` : FAULTS[fault], {cause});
		this.name = 'WorkerError';
		this.fault = fault;
		this.status = status;
		this.tries = tries;
		this.mayHaveArrived = mayHaveArrived;
		this.#about = about;
	}

	/** The same after so many tries. */
	after(tries: number): WorkerError {
		return new WorkerError(this.fault, {...this.#about, tries});
	}
}
