import test from 'ava';
import {Secrets} from '../../src/lib/secrets.ts';
import {assertSameKey} from '../../src/postgres/secret-key.store.ts';
import {startTestPostgres} from '../support/postgres.ts';

test('a database keeps to the first key it saw and refuses any other', async t => {
	const {database} = await startTestPostgres(t);
	await t.notThrowsAsync(assertSameKey(database, new Secrets('the key of the first start')));
	await t.notThrowsAsync(assertSameKey(database, new Secrets('the key of the first start')));
	await t.throwsAsync(assertSameKey(database, new Secrets('another key')), {
		name: 'SecretKeyError',
		message: /^SECRET_KEY/,
	});
	await t.notThrowsAsync(assertSameKey(database, new Secrets('the key of the first start')));
});
