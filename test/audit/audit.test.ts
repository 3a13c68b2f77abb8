import test from 'ava';
import {pino} from 'pino';
import {Audit, type AuditEntry, type AuditedCall, entryOf} from '../../src/audit/audit.ts';
import type {UserPrincipal} from '../../src/identity/principal.ts';

const ann: UserPrincipal = {
	kind: 'user',
	userId: 7,
	credential: 'api_token',
	credentialId: '3',
	communityId: 1,
	roles: [],
};

function call(values: Partial<AuditedCall> = {}): AuditedCall {
	return {
		event: 'user_changed',
		method: 'PUT',
		principal: ann,
		remoteAddress: '192.0.2.1',
		params: {userId: '9'},
		organisationId: undefined,
		body: {},
		answer: {status: 'ok', data: {}},
		trail: {},
		...values,
	};
}

test('an entry tells names of fields, and values of those few that are no secrets', t => {
	const body = {
		email: 'a@example.org',
		password: 'one secret',
		currentPassword: 'another secret',
		token: 'public, but not told',
		role: {nested: 'thing'},
		locale: null,
	};
	const entry = entryOf(call({body}), 5);
	t.deepEqual(entry.details, {
		user_id: '9',
		email: 'a@example.org',
		fields: ['email', 'password', 'current_password', 'token', 'role'],
	});
	t.like(entry, {ts: 5, userId: 7, credential: 'api_token', credentialId: '3', resourceId: '9'});
	t.false(/secret|told|nested/.test(JSON.stringify(entry)));
});

test('whose trail it is: what the handler says, else the datamart’s, the path’s, the answer’s organisation', t => {
	const answer = {data: {id: '11', organisation_id: '4'}};
	const organisationOf = (values: Partial<AuditedCall>) => entryOf(call(values), 0).organisationId;
	t.is(organisationOf({answer}), 4);
	t.is(organisationOf({answer, params: {organisationId: '3'}}), 3);
	t.is(organisationOf({answer, params: {organisationId: '3'}, organisationId: 2}), 2);
	t.is(organisationOf({answer, organisationId: 2, trail: {organisationId: 1}}), 1);
	t.is(organisationOf({}), null, 'the store looks up the user’s own');
	t.is(entryOf(call({answer}), 0).resourceId, '11');
	t.is(entryOf(call({answer, trail: {resourceId: 12}}), 0).resourceId, '12');
});

test('a login has no principal yet: the handler says who it was', t => {
	const entry = entryOf(call({principal: undefined, params: {}, trail: {userId: 7}, method: 'POST'}), 0);
	t.like(entry, {userId: 7, credential: null, credentialId: null, details: {}});
});

test('an entry the store does not take is in the log, whole, and the call goes on', async t => {
	const lines: string[] = [];
	const log = pino({}, {write: (line: string) => lines.push(line)});
	const store = {
		append: () => Promise.reject(new Error('away')),
		list: () => Promise.reject(new Error('away')),
	};
	await new Audit({store, log, now: () => 5}).record(call({body: {email: 'a@example.org'}}));
	t.is(lines.length, 1);
	t.like(JSON.parse(lines[0]!), {audit: {event: 'user_changed', userId: 7, ts: 5}});
});

test('a call that changed nothing after all leaves no trail', async t => {
	const entries: AuditEntry[] = [];
	const store = {
		append: async (entry: AuditEntry) => {
			entries.push(entry);
		},
		list: async () => ({items: [], total: 0}),
	};
	const audit = new Audit({store, log: pino({level: 'silent'})});
	await audit.record(call({trail: {skip: true}}));
	await audit.record(call());
	t.is(entries.length, 1);
});
