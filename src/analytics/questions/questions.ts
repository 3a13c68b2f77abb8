import {randomUUID} from 'node:crypto';
import {DomainError, notFound} from '../../errors.ts';
import {mayAct} from '../../identity/policy.ts';
import type {Principal} from '../../identity/principal.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {Answer, Asked, Attempt, Footprint, ReadOptions} from '../../warehouse/warehouse.ts';
import {AnswerCache, keyOf} from './answer-cache.ts';
import {AskedQuestion, type Asker, callerOf} from './asked.ts';
import {Flight} from './flight.ts';
import {NO_METERS, type QuestionMeters} from './question-meters.ts';
import {type Lane, type SlotLimits, Slots} from './slots.ts';

export interface QuestionLimits extends SlotLimits {
	readonly deadlineMs: number;
	readonly maxMemoryBytes: number;
	/** Of kept answers. */
	readonly maxCacheBytes: number;
}

/**
 * Names the state of the facts a question looks at: equal only while nothing of them has changed. Undefined while
 * something of them is being written.
 */
export type VersionOf = (footprint: Footprint) => Promise<string | undefined>;

/** What a handler hands on with each question it asks. */
export type CallersRead = ReadOptions & {readonly signal: AbortSignal};

export interface QuestionsOptions {
	readonly limits: QuestionLimits;
	readonly directory: TenantView;
	/** Absent: no answer is kept or shared. */
	readonly versionOf?: VersionOf;
	readonly meters?: QuestionMeters;
}

/** Which question, and of which state of the data. */
interface Place {
	readonly key: string;
	readonly version: string;
}

interface Known {
	readonly answer: Answer | Promise<Answer>;
	readonly how: 'answered' | 'shared' | 'cached';
}

/** A version is asked for again by those who waited longer for their turn. */
const FRESH_MS = 5;

/**
 * The manners of a query service: every question that is asked for a caller goes through here, and has an id, a deadline,
 * a memory bound and a turn; it can be seen and cancelled, and over an unchanged past it is answered from memory
 * (docs/adr/0021). Of this instance.
 */
export class Questions {
	readonly #options: QuestionsOptions;
	readonly #slots: Slots;
	readonly #cache: AnswerCache;
	readonly #flights = new Map<string, Flight>();
	readonly #open = new Map<string, AskedQuestion>();
	readonly #meters: QuestionMeters;

	constructor(options: QuestionsOptions) {
		this.#options = options;
		this.#slots = new Slots(options.limits);
		this.#cache = new AnswerCache(options.limits.maxCacheBytes);
		this.#meters = options.meters ?? NO_METERS;
	}

	/**
	 * How a request's questions are put to the warehouse. Errors, beside the warehouse's: `queries_excessive`,
	 * `query_cancelled`.
	 */
	readFor(asker: Asker): CallersRead {
		const {deadlineMs, maxMemoryBytes} = this.#options.limits;
		const question = new AskedQuestion(randomUUID(), asker, this.#organisationOf(asker), Date.now());
		return {
			signal: asker.signal,
			deadlineMs,
			maxMemoryBytes,
			through: (asked, attempt) => this.#put(question, asked, attempt),
			onKnown: (name, ms) => {
				asker.setHeader('X-Query-Id', question.id);
				this.#meters.asked(name, 'live', ms);
			},
		};
	}

	/** Those that run or wait now and that the principal may see, oldest first: their own, and their organisations'. */
	visibleTo(principal: Principal): readonly AskedQuestion[] {
		return [...this.#open.values()].filter(question => this.#isVisible(question, principal));
	}

	/** Error: `query_not_found`, where it has ended or is a stranger's too. */
	get(principal: Principal, id: string): AskedQuestion {
		const question = this.#open.get(id);
		if (!question || !this.#isVisible(question, principal)) throw notFound('query_not_found');
		return question;
	}

	count(which: 'running' | 'waiting', lane: Lane): number {
		return this.#slots.count(which, lane);
	}

	/** Of kept answers, about. */
	get cacheBytes(): number {
		return this.#cache.bytes;
	}

	async #put(question: AskedQuestion, asked: Asked, attempt: Attempt): Promise<Answer> {
		const since = performance.now();
		const queryId = question.begin(asked.name);
		this.#open.set(question.id, question);
		question.asker.setHeader('X-Query-Id', question.id);
		try {
			const {answer, how} = await this.#answer(question, asked, signal => attempt({queryId, signal}));
			this.#meters.asked(asked.name, how, performance.now() - since);
			return answer;
		} catch (error) {
			const code = error instanceof DomainError ? error.code : 'internal_error';
			this.#meters.asked(asked.name, code, performance.now() - since);
			throw error;
		} finally {
			question.end();
			if (!question.isOpen) this.#open.delete(question.id);
		}
	}

	async #answer(
		question: AskedQuestion,
		asked: Asked,
		attempt: (signal: AbortSignal) => Promise<Answer>,
	): Promise<{answer: Answer; how: Known['how']}> {
		const {signal, asker} = question;
		let place = await this.#placeOf(question, asked);
		const known = this.#find(place, question);
		if (known) return {answer: await known.answer, how: known.how};
		const waitsFrom = performance.now();
		const turn = this.#slots.take(callerOf(asker.principal), asked.lane, signal);
		const release = await question.waitFor(turn);
		let flight: Flight | undefined;
		try {
			// Data may have changed meanwhile.
			if (performance.now() - waitsFrom > FRESH_MS) place = await this.#placeOf(question, asked);
			// And somebody else may have asked the same.
			const found = this.#find(place, question);
			if (found) {
				release();
				return {answer: await found.answer, how: found.how};
			}
			flight = this.#start(attempt, place);
			return {answer: await flight.join(signal), how: 'answered'};
		} finally {
			// Whoever left has no part in it any more, but it runs on for those who joined.
			if (flight) void flight.landed().then(release);
			else release();
		}
	}

	/** Where the answer would be kept; undefined where it cannot be. */
	async #placeOf({asker, signal}: AskedQuestion, asked: Asked): Promise<Place | undefined> {
		const {versionOf} = this.#options;
		if (!versionOf || !asked.footprint) return undefined;
		// A store that cannot tell keeps nobody from asking.
		const version = await versionOf(asked.footprint).catch(() => undefined);
		signal.throwIfAborted();
		if (version === undefined) return undefined;
		asker.setHeader('X-Data-Version', version);
		return {key: keyOf(asked), version};
	}

	/** The answer, where it is known or being worked out. */
	#find(place: Place | undefined, {asker, signal}: AskedQuestion): Known | undefined {
		if (!place) return undefined;
		const kept = this.#cache.find(place.key, place.version);
		if (kept) {
			asker.setHeader('Age', String(Math.floor(kept.ageMs / 1000)));
			return {answer: kept.answer, how: 'cached'};
		}
		const flight = this.#flights.get(nameOf(place));
		return flight?.isOpen ? {answer: flight.join(signal), how: 'shared'} : undefined;
	}

	/** An attempt of its own, which others may join where its place is known. */
	#start(attempt: (signal: AbortSignal) => Promise<Answer>, place: Place | undefined): Flight {
		if (!place) return new Flight(attempt);
		const askedMs = performance.now();
		const name = nameOf(place);
		const flight = new Flight(async signal => {
			try {
				const answer = await attempt(signal);
				this.#cache.keep(place.key, place.version, answer, askedMs);
				return answer;
			} finally {
				if (this.#flights.get(name) === flight) this.#flights.delete(name);
			}
		});
		this.#flights.set(name, flight);
		return flight;
	}

	#isVisible({asker, organisationId}: AskedQuestion, principal: Principal): boolean {
		return (
			callerOf(asker.principal) === callerOf(principal) ||
			mayAct(principal, 'queries:manage', organisationId, this.#options.directory)
		);
	}

	/** Of a question over no datamart: the caller's own. */
	#organisationOf({datamart, principal}: Asker): number {
		if (datamart) return datamart.organisationId;
		return principal.kind === 'user' ? (principal.roles[0]?.organisationId ?? 0) : principal.organisationId;
	}
}

function nameOf({key, version}: Place): string {
	return `${version} ${key}`;
}
