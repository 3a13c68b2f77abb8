import {type Algorithm, hash, verify} from '@node-rs/argon2';
import {DomainError} from '../errors.ts';

/** argon2id, 19 MiB, two passes: OWASP's minimum; about 30 ms of one core. `2` is Argon2id in the library's const enum. */
const PARAMETERS = {algorithm: 2 as Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1};
/** Logins beyond these wait in vain: the queue would only grow. */
const MAX_WAITING = 64;

let tail: Promise<unknown> = Promise.resolve();
let waiting = 0;

/** One at a time: hashing shares the thread pool with file writes, which must not wait for logins. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
	if (waiting >= MAX_WAITING) {
		throw new DomainError('logins_excessive', 'Too many logins at once', {retryAfterSeconds: 2});
	}
	waiting++;
	const result = tail.then(work).finally(() => {
		waiting--;
	});
	tail = result.catch(() => {});
	return result;
}

export async function hashPassword(password: string): Promise<string> {
	return inTurn(() => hash(password, PARAMETERS));
}

let dummy: Promise<string> | undefined;

/** Without a stored hash (an unknown account) it takes as long and answers false: time does not tell who exists. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
	dummy ??= hashPassword('no account has this hash');
	const against = stored ?? (await dummy);
	const matches = await inTurn(() => verify(against, password));
	return matches && stored !== undefined;
}
