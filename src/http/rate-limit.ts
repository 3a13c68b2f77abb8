import {LRUCache} from 'lru-cache';
import {DomainError} from '../errors.ts';
import type {Principal} from '../identity/principal.ts';

/** A batch is let in when anything is left and paid for afterwards; nobody ever owes more than this. */
const MAX_DEBT_SECONDS = 60;
const MAX_BUCKETS = 100_000;
/** Credit is counted in thousandths of a unit: a millisecond brings `perSecond` of them, so all numbers stay whole. */
const UNIT = 1000;

interface Bucket {
	readonly policy: 'token' | 'datamart';
	credit: number;
	/** When the credit was right, in whole ms. */
	atMs: number;
}

type SetHeader = (name: string, value: string) => void;

/** Counts further units for a request that was let in: a batch costs one for each of its records. */
export type Charge = (units: number) => void;

/**
 * Token buckets, one for each token and one for each datamart, that hold a second's worth and refill evenly
 * (RATE_LIMIT_PER_SECOND; ADR 12). What channels' public tokens send has a datamart bucket of its own, so that whoever
 * reads a token in a page cannot use up what the datamart's people and servers have. Counted by each instance.
 */
export class RateLimit {
	readonly #perSecond: number;
	readonly #now: () => number;
	readonly #buckets = new LRUCache<string, Bucket>({max: MAX_BUCKETS});

	/** `now` in ms, never going back. */
	constructor(perSecond: number, now: () => number = () => performance.now()) {
		this.#perSecond = perSecond;
		this.#now = now;
	}

	/** Takes one unit and tells in headers what is left. Errors: `rate_limit_exceeded`, which costs nothing. */
	admit(principal: Principal, datamartId: number | undefined, setHeader: SetHeader): Charge {
		const buckets = this.#bucketsOf(principal, datamartId);
		const worst = buckets.reduce((least, bucket) => (bucket.credit < least.credit ? bucket : least));
		if (worst.credit < UNIT) {
			this.#tell(buckets, setHeader);
			throw new DomainError(
				'rate_limit_exceeded',
				`the ${worst.policy}'s ${this.#perSecond} requests or activities a second are used up`,
				{retryAfterSeconds: this.#secondsUntil(worst, UNIT)},
			);
		}
		this.#charge(buckets, 1, setHeader);
		return units => this.#charge(buckets, units, setHeader);
	}

	#charge(buckets: readonly Bucket[], units: number, setHeader: SetHeader): void {
		for (const bucket of buckets) {
			this.#refill(bucket);
			bucket.credit = Math.max(bucket.credit - units * UNIT, -MAX_DEBT_SECONDS * this.#perSecond * UNIT);
		}
		this.#tell(buckets, setHeader);
	}

	#bucketsOf(principal: Principal, datamartId: number | undefined): Bucket[] {
		const isChannel = principal.kind === 'channel';
		const token = isChannel
			? `channel ${principal.channelId}`
			: `${principal.credential} ${principal.credentialId}`;
		const buckets = [this.#bucket('token', token)];
		if (datamartId !== undefined) {
			buckets.push(this.#bucket('datamart', `${isChannel ? 'tracking' : 'datamart'} ${datamartId}`));
		}
		return buckets;
	}

	#bucket(policy: Bucket['policy'], key: string): Bucket {
		let bucket = this.#buckets.get(key);
		if (!bucket) {
			bucket = {policy, credit: this.#perSecond * UNIT, atMs: Math.floor(this.#now())};
			this.#buckets.set(key, bucket);
		}
		this.#refill(bucket);
		return bucket;
	}

	#refill(bucket: Bucket): void {
		const now = Math.floor(this.#now());
		bucket.credit = Math.min(bucket.credit + (now - bucket.atMs) * this.#perSecond, this.#perSecond * UNIT);
		bucket.atMs = now;
	}

	/** In whole seconds, rounded up. */
	#secondsUntil(bucket: Bucket, credit: number): number {
		return Math.ceil((credit - bucket.credit) / (this.#perSecond * 1000));
	}

	/** draft-ietf-httpapi-ratelimit-headers-10: `q` units in `w` seconds; `r` are left, all of them again in `t`. */
	#tell(buckets: readonly Bucket[], setHeader: SetHeader): void {
		const full = this.#perSecond * UNIT;
		const policies = buckets.map(({policy}) => `"${policy}";q=${this.#perSecond};w=1`);
		const states = buckets.map(bucket => {
			const remaining = Math.max(0, Math.floor(bucket.credit / UNIT));
			return `"${bucket.policy}";r=${remaining};t=${this.#secondsUntil(bucket, full)}`;
		});
		setHeader('RateLimit-Policy', policies.join(', '));
		setHeader('RateLimit', states.join(', '));
	}
}
