import {DomainError} from '../../errors.ts';
import type {AccessTokenStore, StoredAccessToken} from './access-tokens.store.ts';

/** In memory, with a switch for the hour PostgreSQL is away. */
export function fakeAccessTokenStore(): AccessTokenStore & {down: boolean} {
	const tokens = new Map<string, StoredAccessToken>();
	let lastId = 0;
	const store = {
		down: false,
		async create({digest, userId, expirationTs}: Parameters<AccessTokenStore['create']>[0]) {
			assertUp();
			const token = {id: ++lastId, userId, expirationTs};
			tokens.set(digest, token);
			return token;
		},
		async findByDigest(digest: string) {
			assertUp();
			return tokens.get(digest);
		},
		async removeExpired(beforeTs: number) {
			assertUp();
			const expired = [...tokens].filter(([, token]) => token.expirationTs < beforeTs);
			for (const [digest] of expired) tokens.delete(digest);
			return expired.length;
		},
	};
	function assertUp(): void {
		if (store.down) throw new DomainError('store_unavailable', 'The database cannot be reached');
	}
	return store;
}
