import {createHash, randomUUID} from 'node:crypto';
import type {Route} from '../../../src/http/route.ts';
import {hashPassword} from '../../../src/identity/passwords.ts';
import {ROLES, type Role} from '../../../src/identity/principal.ts';
import {userRoleStore} from '../../../src/identity/users/user-roles.store.ts';
import {userStore} from '../../../src/identity/users/users.store.ts';
import {clientOf, login, type TestService} from '../../support/service.ts';
import {testTenants} from '../../support/tenants.ts';
import {catalogueOf, workerOf, workersOf} from './plugin-places.ts';

interface Person {
	readonly userId: string;
	readonly accessToken: string;
	readonly apiToken: string;
}

/** What the matrix of routes calls, and as whom. */
export interface Places {
	readonly people: Readonly<Record<Role, Person>>;
	readonly tokens: Readonly<
		Record<
			| ('expired' | 'revoked' | 'revokedApi' | 'refresh' | 'stranger' | 'strangerApi')
			| ('channel' | 'foreignChannel')
			// Basic credentials, ready to be sent.
			| ('worker' | 'foreignWorker' | 'unusedWorker' | 'revokedWorker' | 'wrongWorker'),
			string
		>
	>;
	/** A message authentication key of an administrator of the community. */
	readonly key: {readonly id: string; readonly secret: string};
	knows(param: string): boolean;
	/** A body for the routes that read one: `{}`, or a right one where the record is looked for after it. */
	bodyOf(route: Route): string | undefined;
	/** A path to real records; those that a call may remove or change are made for it. */
	fill(route: Route, template: string, userId?: string): Promise<string>;
}

const BODIES: Readonly<Record<string, (organisationId: string) => object>> = {
	'POST /v1/users/:userId/user_roles': id => ({organisation_id: id, role: 'READER'}),
	'PUT /v1/users/:userId/api_tokens/:tokenId': () => ({name: 'renamed'}),
	'POST /v1/plugins/:pluginId/versions/:versionId/presets': id => ({
		organisation_id: id,
		name: 'matrix',
		plugin_type: 'ACTIVITY_ANALYZER',
	}),
	'POST /v1/plugins/:pluginId/versions': () => ({version_id: randomUUID()}),
	'PUT /v1/plugins/:pluginId/versions/:versionId/worker': () => ({url: 'http://127.0.0.1:9'}),
	'POST /v1/plugins/:pluginId/versions/:versionId/containers/action': () => ({action: 'CHECK'}),
	'POST /v1/channels/:channelId/visit_analyzer_models': () => ({visit_analyzer_model_id: '987654'}),
	// Before a router is looked for; none is called.
	'POST /v1/email_templates/:emailTemplateId/send_test': () => ({
		email: 'ann@example.org',
		email_router_id: '987654',
	}),
	'POST /v1/users/:userId/message_authentication_keys': () => ({
		scheme: 'HMAC_SHA256',
		key_id: randomUUID(),
	}),
};

const PASSWORD = 'correct horse battery';

export async function placesOf(service: TestService): Promise<Places> {
	const {database, organisationId, datamartId} = service;
	const [users, roles] = [userStore(database), userRoleStore(database)];
	const passwordHash = await hashPassword(PASSWORD);
	const organisation = Number(organisationId);
	const {community_id: communityId} = (await service.get(`/v1/organisations/${organisationId}`)).body.data;

	const newUser = (community: number, home: number) =>
		users.create({
			communityId: community,
			organisationId: home,
			email: `${randomUUID()}@example.org`,
			firstName: 'Ann',
			lastName: 'Example',
			locale: null,
			passwordHash,
		});

	async function person(role: Role, community: number, home: number): Promise<Person> {
		const {id, email} = await newUser(community, home);
		await roles.grant({userId: id, organisationId: home, role});
		const accessToken = await login(service.url, {email, password: PASSWORD});
		return {userId: String(id), accessToken, apiToken: await apiToken(accessToken, id)};
	}

	async function apiToken(accessToken: string, userId: number | string): Promise<string> {
		const made = await clientOf(service.url, accessToken).post(`/v1/users/${userId}/api_tokens`, {
			name: 'matrix',
		});
		return made.body.data.value;
	}

	const people = {} as Record<Role, Person>;
	for (const role of ROLES) people[role] = await person(role, Number(communityId), organisation);
	const admin = people.COMMUNITY_ADMIN;
	const asAdmin = clientOf(service.url, admin.accessToken);

	const foreign = await foreignTenant(service);
	const outsider = await person('COMMUNITY_ADMIN', foreign.communityId, foreign.organisationId);

	const keyId = `matrix-${randomUUID()}`;
	const key = await asAdmin.post(`/v1/users/${admin.userId}/message_authentication_keys`, {
		scheme: 'HMAC_SHA256',
		key_id: keyId,
	});

	await service.post(`/v1/datamarts/${datamartId}/user_activities?async=false`, {
		$type: 'SITE_VISIT',
		$ts: Date.now(),
		$user_identifiers: [
			{$type: 'USER_AGENT', $user_agent_id: 'vec:matrix'},
			{$type: 'USER_ACCOUNT', $user_account_id: 'matrix'},
		],
	});
	const [compartment] = (await service.get(`/v1/datamarts/${datamartId}/compartments`)).body.data;

	const newChannel = async (type: string) => {
		const body = {name: 'matrix', type};
		return (await service.post(`/v1/datamarts/${datamartId}/channels`, body)).body.data.id as string;
	};

	const newAsset = async () => {
		const path = `/v1/assets?organisation_id=${organisationId}`;
		return (await service.post(path, 'matrix')).body.data.id as string;
	};

	const catalogue = await catalogueOf(asAdmin, organisationId);

	/** Without a role: nothing keeps an administrator from removing them. */
	const newTarget = async () => String((await newUser(Number(communityId), organisation)).id);

	/** What a parameter stands for. Records that no policy hides may be absent: they are asked for after it. */
	const values: Readonly<Record<string, (userId: string, method: string) => string | Promise<string>>> = {
		datamartId: () => datamartId,
		organisationId: () => organisationId,
		communityId: () => communityId,
		userId: userId => userId,
		userRoleId: () => '987654',
		tokenId: () => '987654',
		signingKeyId: () => '987654',
		deadLetterId: () => '987654',
		documentImportId: () => '987654',
		executionId: () => '987654',
		schemaId: () => '987654',
		audienceFeatureId: () => '987654',
		audienceFeatureFolderId: () => '987654',
		index: () => 'index=USER_INDEX',
		fieldPath: () => 'object_tree_field_path=profiles.country',
		activityId: () => '1-987654',
		queryId: () => '987654',
		channelId: () => newChannel('SITE'),
		siteId: () => newChannel('SITE'),
		mobileApplicationId: () => newChannel('MOBILE_APPLICATION'),
		selector: () => 'user_agent_id=vec:matrix',
		compartment: () => `compartment_id=${compartment.id}`,
		account: () => 'user_account_id=matrix',
		segmentId: () => 'vip',
		builderId: () => '987654',
		presetId: () => '987654',
		locale: () => 'en-US',
		assetId: () => newAsset(),
		pluginId: () => catalogue.pluginId,
		versionId: () => catalogue.versionId,
		technicalName: () => 'field',
		analyzerId: (_, method) => catalogue.analyzer(method),
		emailRouterId: (_, method) => catalogue.emailRouter(method),
		emailTemplateId: () => catalogue.emailTemplateId,
		channelLinkId: () => '987654',
	};

	return {
		people,
		key: {id: keyId, secret: key.body.data.secret_key},
		tokens: {
			...(await endedTokens(service)),
			revokedApi: await revokedApiToken(service, admin, apiToken),
			stranger: outsider.accessToken,
			strangerApi: outsider.apiToken,
			channel: (await service.get(`/v1/datamarts/${datamartId}/channels`)).body.data[0].token,
			foreignChannel: foreign.channelToken,
			...(await workersOf(asAdmin, organisationId)),
			unusedWorker: await workerOf(asAdmin, organisationId, false),
			foreignWorker: await workerOf(
				clientOf(service.url, outsider.accessToken),
				String(foreign.organisationId),
			),
		},
		knows: param => Object.hasOwn(values, param),
		bodyOf({method, path, body}) {
			if (body === undefined) return undefined;
			return JSON.stringify(BODIES[`${method} ${path}`]?.(organisationId) ?? {});
		},
		async fill({action, method}, template, userId) {
			// Nobody removes or degrades whom a later cell needs.
			const isOwn = userId !== undefined && action !== 'users:write';
			const target = isOwn ? userId : await newTarget();
			let path = template;
			for (const [, param = ''] of template.matchAll(/:(\w+)/g)) {
				path = path.replace(`:${param}`, (await values[param]!(target, method)) as string);
			}
			return path;
		},
	};
}

/** Another customer with a datamart and a channel. */
async function foreignTenant({database, url}: TestService) {
	const tenants = await testTenants(database);
	const community = await tenants.community();
	const organisation = await tenants.organisation(community);
	const datamart = await tenants.datamart(organisation);
	const token = randomUUID();
	await tenants.channels.create({
		datamartId: datamart.id,
		type: 'SITE',
		name: 'theirs',
		token,
		domain: null,
		enableAnalytics: false,
		enableInstallationIdAggregation: false,
	});
	// Written beside the service: it learns of it as another instance would.
	const activities = `/v1/datamarts/${datamart.id}/user_activities`;
	for (let i = 0; i < 100; i++) {
		if ((await clientOf(url, token).post(activities, {})).status === 400) break;
		await new Promise(resolve => setTimeout(resolve, 100));
	}
	return {communityId: community.id, organisationId: organisation.id, channelToken: token};
}

/** Tokens that were good once, and a refresh token, which is none. */
async function endedTokens({url, database}: TestService) {
	const stranger = clientOf(url);
	const credentials = {email: 'admin@example.org', password: PASSWORD};
	const refresh = async () =>
		(await stranger.post('/v1/authentication/refresh_tokens', credentials)).body.data.refresh_token as string;
	const access = async (refreshToken: string) =>
		(await stranger.post('/v1/authentication/access_tokens', {refresh_token: refreshToken})).body.data
			.access_token as string;

	const kept = await refresh();
	const expired = await access(kept);
	const digest = createHash('sha256').update(expired).digest('hex');
	await database.run(sql =>
		sql('access_tokens')
			.where('token_sha256', digest)
			.update({expiration_ts: Date.now() - 1}),
	);
	const revokedRefresh = await refresh();
	const revoked = await access(revokedRefresh);
	await clientOf(url, revoked).get('/v1/connected_user');
	await stranger.post('/v1/authentication/refresh_token/revoke', {refresh_token: revokedRefresh});
	return {expired, revoked, refresh: kept};
}

async function revokedApiToken(
	service: TestService,
	{userId, accessToken}: Person,
	make: (accessToken: string, userId: string) => Promise<string>,
): Promise<string> {
	const value = await make(accessToken, userId);
	const client = clientOf(service.url, accessToken);
	await clientOf(service.url, value).get('/v1/connected_user');
	const listed = await client.get(`/v1/users/${userId}/api_tokens?max_results=500`);
	const last = listed.body.data.at(-1).id;
	await client.request('DELETE', `/v1/users/${userId}/api_tokens/${last}`);
	return value;
}
