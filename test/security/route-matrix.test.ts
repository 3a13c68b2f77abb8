import {createHmac} from 'node:crypto';
import anyTest, {type TestFn} from 'ava';
import type {Route} from '../../src/http/route.ts';
import {type Action, POLICY} from '../../src/identity/policy.ts';
import {ROLES, type Role} from '../../src/identity/principal.ts';
import {LOCAL_WORKERS} from '../support/plugins.ts';
import {type Answer, clientOf, startTestService, type TestService} from '../support/service.ts';
import {type Places, placesOf} from './support/places.ts';

/**
 * Every served route x every kind of credential, compared with the policy table. Complete by construction: the routes
 * are those of the service, their paths are filled from `places.ts`, and whatever either does not know fails.
 */
const test = anyTest as TestFn<{service: TestService; places: Places}>;

test.before(async t => {
	const service = await startTestService(LOCAL_WORKERS);
	t.context = {service, places: await placesOf(service)};
});
test.after.always(async t => t.context.service?.stop());

/** Exceptions from "who has the role may", as decisions.md and the specification make them. */
const SIGNED: ReadonlySet<Action> = new Set<Action>(['activities:write', 'segments:read']);
const OWN: ReadonlySet<Action> = new Set<Action>([
	...(['accounts:read', 'accounts:write', 'api_tokens:manage', 'signing_keys:manage'] as const),
]);
const BY_CHANNEL: ReadonlySet<Action> = new Set<Action>(['activities:write', 'activities:track']);
const BY_WORKER: ReadonlySet<Action> = new Set<Action>([
	...(['plugin_instances:fetch', 'own_configuration:read', 'own_configuration:write'] as const),
	...(['activities:write', 'data_files:read'] as const),
]);
const BY_ACCESS_TOKEN: ReadonlySet<Action> = new Set<Action>(['api_tokens:manage']);
const RANK: Readonly<Record<Role, number>> = {
	READER: 1,
	EDITOR: 2,
	ORGANISATION_ADMIN: 3,
	COMMUNITY_ADMIN: 4,
	CUSTOMER_ADMIN: 4,
};

/** What changes nothing that a trail would speak of, with its reason. */
const NOT_AUDITED: ReadonlyMap<Action, string> = new Map<Action, string>([
	['activities:write', 'activities are kept themselves'],
	['analytics:read', 'a question asked by POST'],
	['resource_usage:read', 'a question asked by POST'],
	['memberships:write', 'data of a person: kept with its own creation and last change'],
	['identifiers:write', 'data of a person'],
]);

type Verdict = 'open' | 401 | 403 | 404;

interface Credential {
	readonly name: string;
	/** Headers of a call of this path with this body. */
	readonly headers: (path: string, body: string | undefined) => Record<string, string>;
	readonly demands: (route: Route) => Verdict;
	/** Who `:userId` is; a user with no role otherwise. */
	readonly userId?: string;
}

const least = ({action}: Route) => POLICY[action];
const has = (route: Route, param: string) => route.path.includes(`:${param}`);
const basic = (credentials: string) => () => ({authorization: `Basic ${credentials}`});
const bearer = (token: string) => () => ({authorization: `Bearer ${token}`});

function byRole(role: Role, {kind = 'access_token', own = false} = {}) {
	return (route: Route): Verdict => {
		const needed = least(route);
		if (needed === 'public') return 'open';
		if (needed === 'worker') return 403;
		if (kind === 'api_token' && BY_ACCESS_TOKEN.has(route.action)) return 403;
		if (needed === 'authenticated' || (own && OWN.has(route.action))) return 'open';
		return RANK[role] >= RANK[needed] ? 'open' : 403;
	};
}

const nobody = (route: Route): Verdict => (least(route) === 'public' ? 'open' : 401);

function stranger(route: Route): Verdict {
	if (least(route) === 'public') return 'open';
	if (least(route) === 'worker') return 403;
	// Whoever has a token has things of their own; whose a record is, is asked once it is found.
	if (least(route) === 'authenticated') return 'open';
	return route.path.includes(':') ? 404 : 'open';
}

function channel(isOwn: boolean) {
	return (route: Route): Verdict => {
		if (least(route) === 'public') return 'open';
		if (!isOwn && (has(route, 'datamartId') || has(route, 'organisationId'))) return 404;
		return BY_CHANNEL.has(route.action) ? 'open' : 403;
	};
}

/** Where its plugin is put to use a plugin worker makes its calls; what is elsewhere is not there, whatever the call. */
function worker(isOwn: boolean) {
	return (route: Route): Verdict => {
		if (least(route) === 'public') return 'open';
		if (!isOwn && (has(route, 'datamartId') || has(route, 'organisationId'))) return 404;
		if (!BY_WORKER.has(route.action)) return 403;
		const isFound = isOwn || least(route) === 'worker' || !route.path.includes(':');
		return isFound ? 'open' : 404;
	};
}

function signature(route: Route): Verdict {
	if (least(route) === 'public') return 'open';
	return SIGNED.has(route.action) ? 'open' : 403;
}

function credentialsOf(places: Places): Credential[] {
	const {tokens, key} = places;
	const fromRoles = ROLES.flatMap(role => {
		const {userId, accessToken, apiToken} = places.people[role];
		return [
			{name: role, headers: bearer(accessToken), demands: byRole(role)},
			{
				name: `${role}, about themself`,
				headers: bearer(accessToken),
				demands: byRole(role, {own: true}),
				userId,
			},
			{name: `API token of ${role}`, headers: bearer(apiToken), demands: byRole(role, {kind: 'api_token'})},
		];
	});
	return [
		{name: 'no token', headers: () => ({}), demands: nobody},
		{name: 'an empty header', headers: () => ({authorization: ' '}), demands: nobody},
		{name: 'a malformed token', headers: bearer('not a token'), demands: nobody},
		{name: 'a token of no kind', headers: bearer("x' or '1'='1".replaceAll(' ', '')), demands: nobody},
		{name: 'a token nobody has', headers: bearer(`access:${'A'.repeat(43)}`), demands: nobody},
		{name: 'an expired token', headers: bearer(tokens.expired), demands: nobody},
		{name: 'a revoked access token', headers: bearer(tokens.revoked), demands: nobody},
		{name: 'a revoked API token', headers: bearer(tokens.revokedApi), demands: nobody},
		{name: 'a refresh token', headers: bearer(tokens.refresh), demands: nobody},
		{name: 'Basic credentials of no worker', headers: () => ({authorization: 'Basic MTox'}), demands: nobody},
		...fromRoles,
		{name: 'an administrator of another community', headers: bearer(tokens.stranger), demands: stranger},
		{name: 'an API token from another community', headers: bearer(tokens.strangerApi), demands: strangerApi},
		{name: "the channel's token", headers: bearer(tokens.channel), demands: channel(true)},
		{name: "another customer's channel", headers: bearer(tokens.foreignChannel), demands: channel(false)},
		{name: 'a plugin worker', headers: basic(tokens.worker), demands: worker(true)},
		{name: "another customer's plugin worker", headers: basic(tokens.foreignWorker), demands: worker(false)},
		{name: 'a worker of a plugin nobody uses', headers: basic(tokens.unusedWorker), demands: worker(false)},
		{name: 'a plugin worker whose token was renewed', headers: basic(tokens.revokedWorker), demands: nobody},
		{name: 'a plugin worker with a wrong token', headers: basic(tokens.wrongWorker), demands: nobody},
		{name: 'a signature', headers: (path, body) => signed(path, body, key), demands: signature},
		{
			name: 'a signature with another secret',
			headers: (path, body) => signed(path, body, {...key, secret: '0'.repeat(32)}),
			// What no signature opens says so before it looks at the digest.
			demands: route => (signature(route) === 'open' ? nobody(route) : 403),
		},
	];
}

function strangerApi(route: Route): Verdict {
	return BY_ACCESS_TOKEN.has(route.action) ? 403 : stranger(route);
}

function signed(path: string, body: string | undefined, {id, secret}: Places['key']): Record<string, string> {
	const ts = String(Date.now());
	const message = [path, id, ts, ...(body === undefined ? [] : [body])].join('\n');
	const mac = createHmac('sha256', secret).update(message).digest('base64');
	return {'x-svc-key-id': id, 'x-svc-ts': ts, 'x-svc-mac': mac};
}

/** 404s that speak of the tenant or of a record one may not see; others say that a record is missing. */
const HIDDEN = new Set([
	...['datamart_not_found', 'organisation_not_found', 'community_not_found', 'channel_not_found'],
	...['user_not_found', 'route_not_found'],
	...['plugin_not_found', 'plugin_instance_not_found', 'email_template_not_found'],
	'asset_not_found',
]);

function verdictOf({status, body}: Answer): Verdict | 'failed' {
	if (status >= 500) return 'failed';
	if (status === 401 || status === 403) return status;
	return status === 404 && HIDDEN.has(body.error_code) ? 404 : 'open';
}

async function call(
	service: TestService,
	places: Places,
	route: Route,
	template: string,
	credential: Credential,
) {
	const path = await places.fill(route, template, credential.userId);
	const body = places.bodyOf(route);
	const headers = credential.headers(path, body);
	return clientOf(service.url).request(route.method, path, body, headers);
}

test('every route names a line of the policy table', t => {
	const {routes} = t.context.service;
	t.true(routes.length > 40);
	for (const {method, path, action} of routes) {
		t.true(Object.hasOwn(POLICY, action ?? ''), `${method} ${path} declares no action`);
	}
});

/** The only calls that ask for nobody: whoever adds one says so here. */
const PUBLIC = [
	'POST /v1/authentication/access_tokens',
	'POST /v1/authentication/refresh_tokens',
	'POST /v1/authentication/refresh_token/revoke',
];

/** Questions that need a body. */
const ASKED_BY_POST: ReadonlySet<Action> = new Set<Action>(['analytics:read', 'resource_usage:read']);

test('logins alone are public, who one is alone needs no role, and a role to read changes nothing', t => {
	const {routes} = t.context.service;
	const callsOf = (least: string) =>
		routes.filter(({action}) => POLICY[action] === least).map(({method, path}) => `${method} ${path}`);
	t.deepEqual(callsOf('public').sort(), [...PUBLIC].sort());
	t.deepEqual(callsOf('authenticated').sort(), [
		'DELETE /v1/queries/:queryId',
		'GET /v1/connected_user',
		'GET /v1/queries',
		'GET /v1/queries/:queryId',
	]);
	const misplaced = routes.filter(
		({method, action}) => method !== 'GET' && action.endsWith(':read') && !ASKED_BY_POST.has(action),
	);
	t.deepEqual(
		misplaced.map(({method, path}) => `${method} ${path}`),
		[],
	);
});

test('every parameter of a path stands for something real, and no two routes for the same call', t => {
	const {service, places} = t.context;
	const seen = new Set<string>();
	for (const {method, path, aliases = []} of service.routes) {
		for (const each of [path, ...aliases]) {
			for (const [, param] of each.matchAll(/:(\w+)/g)) {
				t.true(places.knows(param!), `${each}: say in places.ts what :${param} stands for`);
			}
			const shape = `${method} ${each.replaceAll(/:\w+/g, ':')}`;
			t.false(seen.has(shape), shape);
			seen.add(shape);
		}
	}
});

test('every call that changes something is written into the audit trail, or says why not', t => {
	const silent = t.context.service.routes.filter(
		({method, audit, action}) => method !== 'GET' && !audit && !NOT_AUDITED.has(action),
	);
	t.deepEqual(
		silent.map(({method, path}) => `${method} ${path}`),
		[],
	);
});

/** Most of a call's time is waiting for a disk. */
const AT_ONCE = 12;

test('every route x every credential answers as the policy table demands', async t => {
	// It grows with the routes.
	t.timeout(10 * 60_000);
	const {service, places} = t.context;
	const credentials = credentialsOf(places);
	const wrong: string[] = [];
	let cells = 0;
	const cell = async (route: Route, template: string, credential: Credential) => {
		const answer = await call(service, places, route, template, credential);
		const demanded = credential.demands(route);
		cells++;
		if (verdictOf(answer) === demanded) return;
		const told = `${answer.status} ${answer.body?.error_code ?? ''}`;
		wrong.push(`${route.method} ${template}, ${credential.name}: ${told} instead of ${demanded}`);
	};
	for (const route of service.routes) {
		for (const template of [route.path, ...(route.aliases ?? [])]) {
			for (let next = 0; next < credentials.length; next += AT_ONCE) {
				const some = credentials.slice(next, next + AT_ONCE);
				await Promise.all(some.map(credential => cell(route, template, credential)));
			}
		}
	}
	t.deepEqual(wrong, []);
	t.log(`${cells} cells`);
	t.true(cells > 1_000);
});

test('a refusal tells the same of what exists elsewhere and of what does not exist', async t => {
	const {service, places} = t.context;
	const outsider = clientOf(service.url, places.tokens.stranger);
	for (const route of service.routes.filter(({method, path}) => method === 'GET' && path.includes(':'))) {
		if (POLICY[route.action] === 'public' || POLICY[route.action] === 'worker') continue;
		const theirs = await outsider.get(await places.fill(route, route.path));
		const nobodys = await outsider.get(route.path.replaceAll(/:\w+/g, '987654321'));
		const strip = ({status, body}: Answer) => ({status, body: {...body, error_id: ''}});
		t.deepEqual(strip(theirs), strip(nobodys), route.path);
		t.is(theirs.body.error, 'Resource Not Found', route.path);
	}
});
