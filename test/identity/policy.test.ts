import test from 'ava';
import {
	type Action,
	administersCommunity,
	assertCredential,
	isStranger,
	mayAct,
	mayActSomewhere,
	mayBeSigned,
	organisationsFor,
	POLICY,
	roleFor,
} from '../../src/identity/policy.ts';
import type {Principal, Role, UserPrincipal} from '../../src/identity/principal.ts';
import {tenantView} from '../../src/tenants/directory.ts';
import type {Organisation} from '../../src/tenants/tenants.ts';
import {principalOf} from '../support/tenants.ts';

function organisation(id: number, communityId: number, administratorId: number | null): Organisation {
	return {
		id,
		communityId,
		administratorId,
		marketId: null,
		name: `organisation ${id}`,
		technicalName: null,
		customerType: 'ENTERPRISE',
		archived: false,
		createdBy: null,
		createdTs: 0,
		lastModifiedBy: null,
		lastModifiedTs: 0,
	};
}

const head = organisation(1, 1, null);
const branch = organisation(2, 1, 1);
const neighbour = organisation(3, 1, null);
const foreign = organisation(4, 2, null);
const directory = tenantView({
	organisations: [head, branch, neighbour, foreign],
	datamarts: [],
	compartments: [],
	channels: [],
});

function reach(principal: Principal, action: Action): number[] {
	return organisationsFor(principal, action, directory).map(({id}) => id);
}

test('a reader reads in their organisation and those below it, and changes nothing', t => {
	const reader = principalOf(head, 'READER');
	t.deepEqual(reach(reader, 'analytics:read'), [1, 2]);
	t.deepEqual(reach(reader, 'channels:write'), []);
	t.deepEqual(reach(principalOf(branch, 'READER'), 'analytics:read'), [2], 'never upwards');
});

test('each role may all that a lesser one may', t => {
	const roles: Role[] = ['READER', 'EDITOR', 'ORGANISATION_ADMIN', 'COMMUNITY_ADMIN'];
	for (const action of Object.keys(POLICY) as Action[]) {
		const allowed = roles.map(role => mayAct(principalOf(head, role), action, head.id, directory));
		t.deepEqual(
			allowed,
			[...allowed].sort((a, b) => Number(a) - Number(b)),
			action,
		);
		t.is(
			allowed.at(-1),
			POLICY[action] !== 'worker',
			`${action} is possible at all, or a plugin worker's alone`,
		);
	}
});

test('an administrator of the community reaches all of it and nothing of another, by either name of the role', t => {
	for (const role of ['COMMUNITY_ADMIN', 'CUSTOMER_ADMIN'] as const) {
		const administrator = principalOf(head, role);
		t.deepEqual(reach(administrator, 'organisations:write'), [1, 2, 3]);
		t.true(administersCommunity(administrator, 1));
		t.false(administersCommunity(administrator, 2));
	}
	t.false(administersCommunity(principalOf(head, 'ORGANISATION_ADMIN'), 1));
});

test('the strongest of several roles counts', t => {
	const roles = [
		{organisationId: 1, communityId: 1, role: 'READER' as const},
		{organisationId: 2, communityId: 1, role: 'ORGANISATION_ADMIN' as const},
	];
	const principal: UserPrincipal = {...principalOf(head, 'READER'), roles};
	t.is(roleFor(principal, 1, directory), 'READER');
	t.is(roleFor(principal, 2, directory), 'ORGANISATION_ADMIN');
	t.is(roleFor(principal, 3, directory), undefined);
	t.true(isStranger(principal, 3, directory));
	t.false(isStranger(principal, 2, directory));
});

test('a signature opens tracking and segments only, whatever its user may', t => {
	const signed = principalOf(head, 'COMMUNITY_ADMIN', 'signature');
	const open = (Object.keys(POLICY) as Action[]).filter(action => mayAct(signed, action, head.id, directory));
	t.deepEqual(open, ['public', 'activities:write', 'segments:read']);
	t.false(administersCommunity(signed, 1));
});

test('what may be signed is exactly what a signed request may do', t => {
	const signed = principalOf(head, 'COMMUNITY_ADMIN', 'signature');
	for (const action of Object.keys(POLICY) as Action[]) {
		if (POLICY[action] === 'public') continue;
		t.is(mayBeSigned(action), mayAct(signed, action, head.id, directory), action);
	}
});

test('API tokens are made with an access token, whatever else their maker may do', t => {
	const refused = (credential: UserPrincipal['credential']) =>
		t.throws(() => assertCredential(principalOf(head, 'COMMUNITY_ADMIN', credential), 'api_tokens:manage'), {
			message: /needs an access token/,
		});
	refused('api_token');
	refused('signature');
	t.notThrows(() => assertCredential(principalOf(head, 'READER'), 'api_tokens:manage'));
	t.notThrows(() => assertCredential(principalOf(head, 'READER', 'api_token'), 'signing_keys:manage'));
});

test("a channel's public token writes its organisation's activities and opens nothing else", t => {
	const channel: Principal = {kind: 'channel', channelId: 1, datamartId: 1, organisationId: 1};
	const open = (Object.keys(POLICY) as Action[]).filter(action => mayAct(channel, action, 1, directory));
	t.deepEqual(open, ['public', 'activities:write', 'activities:track']);
	t.false(mayAct(channel, 'activities:write', 2, directory));
	t.true(isStranger(channel, 2, directory));
});

test('a plugin worker makes its own calls where its plugin is put to use and below, and no others', t => {
	const worker = {
		kind: 'worker',
		credential: 'worker',
		credentialId: 'w',
		pluginId: 1,
		pluginVersionId: 1,
		organisationId: head.id,
		servedOrganisations: [head.id],
	} as const;
	const calls = (Object.keys(POLICY) as Action[]).filter(action => mayActSomewhere(worker, action));
	t.deepEqual(calls.sort(), [
		...['activities:write', 'data_files:read', 'own_configuration:read', 'own_configuration:write'],
		...['plugin_instances:fetch', 'public'],
	]);
	for (const action of calls.filter(each => each !== 'public')) {
		t.deepEqual(reach(worker, action), [1, 2], action);
		t.false(mayAct(worker, action, foreign.id, directory));
		const below = {...worker, servedOrganisations: [2]};
		t.deepEqual(reach(below, action), [2], 'the one above has no instance of it');
		t.true(isStranger(below, head.id, directory));
		t.deepEqual(reach({...worker, servedOrganisations: []}, action), []);
		// Its plugin's organisation is where its reach ends, whatever is told of it.
		t.deepEqual(reach({...worker, servedOrganisations: [foreign.id]}, action), []);
	}
	t.deepEqual(reach(worker, 'plugin_instances:read'), []);
	t.false(administersCommunity(worker, 1));
});

test('an organisation nobody knows is nobody’s', t => {
	t.false(mayAct(principalOf(head, 'COMMUNITY_ADMIN'), 'analytics:read', 99, directory));
});
