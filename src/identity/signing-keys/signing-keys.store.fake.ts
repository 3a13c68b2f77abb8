import {DomainError, invalidField} from '../../errors.ts';
import type {SealedSecret, SigningKeyKey, SigningKeyStore, StoredSigningKey} from './signing-keys.store.ts';

/** In memory, with a switch for the hour PostgreSQL is away. */
export function fakeSigningKeyStore(): SigningKeyStore & {down: boolean} {
	const keys = new Map<string, StoredSigningKey & SealedSecret>();
	let lastId = 0;
	const store = {
		down: false,
		async create(key: Parameters<SigningKeyStore['create']>[0]) {
			assertUp();
			if (keys.has(key.keyId)) throw invalidField('/key_id', 'is the name of another key', 'key_id_taken');
			const stored = {...key, id: ++lastId};
			keys.set(key.keyId, stored);
			return withoutSecret(stored);
		},
		async find(key: SigningKeyKey) {
			const stored = one(key);
			return stored && withoutSecret(stored);
		},
		async findWithSecret(keyId: string) {
			assertUp();
			return keys.get(keyId);
		},
		async list(
			{userId}: {userId: number},
			{firstResult, maxResults}: Parameters<SigningKeyStore['list']>[1],
		) {
			assertUp();
			const all = [...keys.values()].filter(key => key.userId === userId).map(withoutSecret);
			return {items: all.slice(firstResult, firstResult + maxResults), total: all.length};
		},
		async remove(key: SigningKeyKey) {
			return keys.delete(one(key)?.keyId ?? '');
		},
	};
	function one({id, userId}: SigningKeyKey) {
		assertUp();
		return [...keys.values()].find(key => key.id === id && key.userId === userId);
	}
	function assertUp(): void {
		if (store.down) throw new DomainError('store_unavailable', 'The database cannot be reached');
	}
	return store;
}

function withoutSecret({secretSealed, ...key}: StoredSigningKey & SealedSecret): StoredSigningKey {
	return key;
}
