import {Writable} from 'node:stream';
import test from 'ava';
import {DomainError} from '../../src/errors.ts';
import {createLog} from '../../src/operations/log.ts';

/** What is logged of these fields, as text. */
function logged(fields: object, message = 'said'): string {
	let text = '';
	const log = createLog(
		'info',
		new Writable({
			write(line, _, done) {
				text += line;
				done();
			},
		}),
	);
	log.info(fields, message);
	return text;
}

test('a secret is not logged under any of its names, however deep it stands', t => {
	const names = [
		...[
			'password',
			'ADMIN_PASSWORD',
			'secret_key',
			'secretKey',
			'token',
			'authentication_token',
			'authorization',
		],
		...['cookie', 'X-Svc-Mac', 'identifiers', '$user_identifiers', 'email', 'user_agent_id', 'userAccountId'],
	];
	for (const name of names) {
		t.false(logged({[name]: 'hidden-value'}).includes('hidden-value'), name);
		t.false(logged({a: {b: [{[name]: {deep: 'hidden-value'}}]}}).includes('hidden-value'), `a.b.0.${name}`);
	}
	t.true(logged({status: 200, route: '/v1/users/:userId', job: 7}).includes('/v1/users/:userId'));
});

test('a secret is taken out of the middle of a text', t => {
	const texts = [
		'connect postgres://millrace:hidden-value@db:5432/millrace failed',
		'Authorization: Bearer hidden-value',
		'GET /pixel.gif?token=hidden-value&activity=1',
		'{"password":"hidden-value"}',
		'nobody is called hidden-value@example.org',
	];
	for (const text of texts) {
		const line = logged({error: new Error(text), also: text});
		t.false(line.includes('hidden-value'), line);
	}
});

test('of an error its kind, words, place and causes are logged, and nothing a driver hangs on it', t => {
	const driver = Object.assign(
		new Error('duplicate key value violates unique constraint "users_email_key"'),
		{
			code: '23505',
			detail: 'Key (email)=(hidden-value) already exists.',
			parameters: ['hidden-value'],
			config: {headers: {authorization: 'hidden-value'}},
		},
	);
	const line = logged({error: new DomainError('internal_error', 'Internal error', {cause: driver})});
	t.false(line.includes('hidden-value'), line);
	const {error} = JSON.parse(line);
	t.is(error.code, 'internal_error');
	t.is(error.cause.code, '23505');
	t.true(error.cause.stack.includes('log.test.js'));
	t.notThrows(() => logged({error: new AggregateError([driver], 'all of them')}));
});

test('what has no end is logged with one', t => {
	const round: Record<string, unknown> = {};
	round.again = round;
	t.true(logged(round).includes('[too deep]'));
	t.true(logged({text: 'x'.repeat(100_000)}).length < 20_000);
});
