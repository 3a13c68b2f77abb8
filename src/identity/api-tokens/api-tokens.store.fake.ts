import {DomainError} from '../../errors.ts';
import type {ApiTokenKey, ApiTokenStore, NewApiToken, StoredApiToken} from './api-tokens.store.ts';

/** In memory, with a switch for the hour PostgreSQL is away. */
export function fakeApiTokenStore(): ApiTokenStore & {down: boolean} {
	const tokens = new Map<string, StoredApiToken>();
	let lastId = 0;
	const digestFor = ({id, userId}: ApiTokenKey) => {
		assertUp();
		return [...tokens].find(([, token]) => token.id === id && token.userId === userId)?.[0];
	};
	const store = {
		down: false,
		async create({digest, ...token}: NewApiToken) {
			assertUp();
			const stored = {...token, id: ++lastId, lastUseTs: null};
			tokens.set(digest, stored);
			return stored;
		},
		async findByDigest(digest: string) {
			assertUp();
			return tokens.get(digest);
		},
		async find(key: ApiTokenKey) {
			return tokens.get(digestFor(key) ?? '');
		},
		async list({userId}: {userId: number}, {firstResult, maxResults}: Parameters<ApiTokenStore['list']>[1]) {
			assertUp();
			const all = [...tokens.values()].filter(token => token.userId === userId);
			return {items: all.slice(firstResult, firstResult + maxResults), total: all.length};
		},
		async rename(key: ApiTokenKey, name: string | null) {
			const digest = digestFor(key);
			if (digest === undefined) return undefined;
			const renamed = {...tokens.get(digest)!, name};
			tokens.set(digest, renamed);
			return renamed;
		},
		async remove(key: ApiTokenKey) {
			return tokens.delete(digestFor(key) ?? '');
		},
		async noteUses(uses: ReadonlyMap<number, number>) {
			assertUp();
			for (const [digest, token] of tokens) {
				const used = uses.get(token.id) ?? 0;
				if (used > (token.lastUseTs ?? 0)) tokens.set(digest, {...token, lastUseTs: used});
			}
		},
	};
	function assertUp(): void {
		if (store.down) throw new DomainError('store_unavailable', 'The database cannot be reached');
	}
	return store;
}
