import {DomainError} from '../../errors.ts';
import {verifyPassword} from '../passwords.ts';
import type {UserStore} from '../users/users.store.ts';
import type {LoginRequest} from './access-tokens.schema.ts';
import {LoginThrottle} from './login-throttle.ts';

/** Who a password belongs to, at a pace that makes guessing useless. */
export class Logins {
	readonly #users: Pick<UserStore, 'findLogin'>;
	readonly #throttle: LoginThrottle;

	constructor(users: Pick<UserStore, 'findLogin'>, throttle = new LoginThrottle()) {
		this.#users = users;
		this.#throttle = throttle;
	}

	/**
	 * Errors: `credentials_invalid`, the same and as slowly for an unknown address and a wrong password;
	 * `logins_excessive`.
	 */
	async verify({email, password}: LoginRequest, remoteAddress: string): Promise<number> {
		const userId = await this.#throttle.attempt(email, remoteAddress, async () => {
			const login = await this.#users.findLogin(email);
			const matches = await verifyPassword(login?.passwordHash, password);
			return matches ? login?.userId : undefined;
		});
		if (userId === undefined)
			throw new DomainError('credentials_invalid', 'The e-mail or the password is wrong');
		return userId;
	}
}
