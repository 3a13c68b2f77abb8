import {randomUUID} from 'node:crypto';
import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import type {PluginType} from '../../../src/plugins/catalogue/plugins.ts';
import {data, makePlugin, type TestPlugin} from '../../support/plugins.ts';
import {
	type Answer,
	type Client,
	clientOf,
	login,
	startTestService,
	type TestService,
} from '../../support/service.ts';

const test = anyTest as TestFn<{service: TestService}>;

test.before(async t => {
	t.context = {service: await startTestService()};
});
test.after.always(async t => t.context.service?.stop());

const FIELD = {technical_name: 'field', property_type: 'STRING', value: {value: 'title'}};
const LAYOUT = {
	version: '1',
	sections: [],
	metadata: {large_icon_asset_id: '', small_icon_asset_id: '', display_name: 'x', description: 'x'},
};

interface World {
	readonly service: TestService;
	/** An organisation with a branch below it; the plugin is the organisation's. */
	readonly organisationId: string;
	readonly branchId: string;
	readonly plugin: TestPlugin;
	readonly path: string;
	body(more?: object): object;
	list(query: string, client?: Client): Promise<Answer>;
}

async function worldOf(
	t: ExecutionContext<{service: TestService}>,
	pluginType: PluginType = 'ACTIVITY_ANALYZER',
): Promise<World> {
	const {service} = t.context;
	const newOrganisation = async (above: string) => {
		const body = {name: `Organisation ${randomUUID()}`, administrator_id: above};
		return data(await service.post('/v1/organisations', body)).id as string;
	};
	const organisationId = await newOrganisation(service.organisationId);
	const plugin = await makePlugin(service, organisationId, pluginType);
	return {
		service,
		organisationId,
		branchId: await newOrganisation(organisationId),
		plugin,
		path: `${plugin.path}/presets`,
		body: more => ({
			name: 'Titles',
			description: 'cleans titles',
			organisation_id: organisationId,
			plugin_type: pluginType,
			properties: [FIELD],
			...more,
		}),
		list: (query, client = service) => client.get(`/v1/plugins.versions.presets?${query}`),
	};
}

async function personIn(service: TestService, organisationId: string, role: string): Promise<Client> {
	const [email, password] = [`${randomUUID()}@example.org`, 'correct horse battery'];
	const user = data(
		await service.post(`/v1/users?organisation_id=${organisationId}`, {
			email,
			password,
			first_name: 'Ann',
			last_name: 'Example',
			organisation_id: organisationId,
		}),
	);
	data(await service.post(`/v1/users/${user.id}/user_roles`, {organisation_id: organisationId, role}));
	return clientOf(service.url, await login(service.url, {email, password}));
}

const refusalOf = ({status, body}: Answer) => [status, body.error_code, body.errors?.[0]?.pointer];
const idsOf = ({body}: Answer) => body.data.map(({id}: {id: string}) => id);

test('a preset comes back whole, and is listed by organisation and type', async t => {
	const {service, organisationId, plugin, path, body, list} = await worldOf(t);
	const extra = {origin: 'PLUGIN', writable: true, deletable: false};
	const made = await service.post(path, body({properties: [{...FIELD, ...extra}]}));
	t.is(made.status, 200);
	const {id, creation_ts: creationTs, ...rest} = made.body.data;
	t.deepEqual(rest, {
		name: 'Titles',
		description: 'cleans titles',
		organisation_id: organisationId,
		plugin_id: plugin.plugin.id,
		plugin_version_id: plugin.version.id,
		plugin_type: 'ACTIVITY_ANALYZER',
		properties: [FIELD],
		archived: false,
	});
	t.true(Math.abs(Date.now() - creationTs) < 60_000);
	const listed = await list(`organisation_id=${organisationId}&plugin_type=ACTIVITY_ANALYZER`);
	t.deepEqual(listed.body, {
		status: 'ok',
		data: [made.body.data],
		count: 1,
		total: 1,
		first_result: 0,
		max_results: 50,
	});
	t.deepEqual((await list(`organisation_id=${organisationId}&plugin_type=EMAIL_ROUTER`)).body.data, []);
	t.true(idsOf(await list('max_results=500')).includes(id));
	t.deepEqual((await service.get(`${path}/${id}`)).body.data, made.body.data);
	t.deepEqual(idsOf(await service.get(path)), [id]);
	t.deepEqual(refusalOf(await list('plugin_type=TOASTER')), [400, 'field_invalid', '?plugin_type']);
	t.is((await list('organisation_id=987654321')).body.error, 'Resource Not Found');
});

test('an instance made from a preset has its values, fixed, and keeps them when the preset is archived', async t => {
	const {service, organisationId, plugin, path, body, list} = await worldOf(t);
	const preset = data(await service.post(path, body()));
	const analyzer = {
		name: 'Cleaner',
		organisation_id: organisationId,
		group_id: plugin.plugin.group_id,
		artifact_id: plugin.plugin.artifact_id,
		error_recovery_strategy: 'DROP',
		preset_id: preset.id,
	};
	const {id} = data(await service.post('/v1/visit_analyzer_models', analyzer));
	const properties = async () => data(await service.get(`/v1/visit_analyzer_models/${id}/properties`));
	const field = () =>
		properties().then(all => all.find((each: typeof FIELD) => each.technical_name === 'field'));
	t.like(await field(), {value: {value: 'title'}, writable: false});
	const change = {...FIELD, value: {value: 'other'}};
	const put = (body: object) =>
		service.request('PUT', `/v1/visit_analyzer_models/${id}/properties/technical_name=field`, body);
	t.deepEqual(refusalOf(await put(change)).slice(0, 2), [409, 'plugin_property_fixed']);

	const archived = await service.request('PUT', `${path}/${preset.id}`, {archived: true});
	t.true(archived.body.data.archived);
	t.deepEqual(idsOf(await list(`organisation_id=${organisationId}`)), []);
	t.deepEqual(idsOf(await list(`organisation_id=${organisationId}&archived=true`)), [preset.id]);
	t.like(await field(), {value: {value: 'title'}, writable: false});
	t.deepEqual(refusalOf(await service.post('/v1/visit_analyzer_models', analyzer)), [
		400,
		'field_invalid',
		'/preset_id',
	]);
});

test('archiving is for good, and values never change; a name may', async t => {
	const {service, path, body} = await worldOf(t);
	const preset = data(await service.post(path, body()));
	const put = (change: object) => service.request('PUT', `${path}/${preset.id}`, change);
	t.is((await put({...preset, name: 'Renamed'})).body.data.name, 'Renamed', 'all it holds may come back');
	t.is((await put({description: null})).body.data.description, null);
	const values = await put({properties: [{...FIELD, value: {value: 'x'}}]});
	t.deepEqual(refusalOf(values), [400, 'field_invalid', '/properties']);
	t.is((await put({archived: true})).status, 200);
	t.is((await put({archived: true})).status, 200);
	t.deepEqual(refusalOf(await put({archived: false})).slice(0, 2), [409, 'preset_archived']);
	t.deepEqual((await service.get(`${path}/${preset.id}`)).body.data.properties, [FIELD]);
});

test('a faulty preset is refused by the name of the field, and nothing is made', async t => {
	const {service, organisationId, path, body, list} = await worldOf(t);
	const table: [object, string][] = [
		[{plugin_type: null}, '/plugin_type'],
		[{plugin_type: 'TOASTER'}, '/plugin_type'],
		[{plugin_type: 'EMAIL_ROUTER'}, '/plugin_type'],
		[{name: ''}, '/name'],
		[{organisation_id: '987654321'}, '/organisation_id'],
		// Above the plugin's own: what is below is not offered to those above.
		[{organisation_id: service.organisationId}, '/organisation_id'],
		[{properties: [FIELD, {...FIELD, technical_name: 'unknown'}]}, '/properties/1/technical_name'],
		[{properties: [FIELD, FIELD]}, '/properties/1/technical_name'],
		[{properties: [{...FIELD, technical_name: 'provider'}]}, '/properties/0/technical_name'],
		[{properties: [{...FIELD, property_type: 'INT'}]}, '/properties/0/property_type'],
		[{properties: [{...FIELD, value: {value: 7}}]}, '/properties/0/value/value'],
	];
	for (const [more, pointer] of table) {
		const refused = await service.post(path, body(more));
		t.deepEqual(refusalOf(refused), [400, 'field_invalid', pointer], JSON.stringify(more));
	}
	const untyped = await service.post(path, body({plugin_type: undefined}));
	t.is(untyped.body.error, 'plugin_type must be defined');
	t.is((await list(`organisation_id=${organisationId}`)).body.total, 0);
});

test('a feed needs a layout before it gets a preset', async t => {
	const {service, plugin, path, body} = await worldOf(t, 'AUDIENCE_SEGMENT_EXTERNAL_FEED');
	t.deepEqual(refusalOf(await service.post(path, body())).slice(0, 2), [400, 'plugin_layout_missing']);
	await service.request('PUT', `${plugin.path}/properties_layout`, LAYOUT);
	t.is((await service.post(path, body())).status, 200);
});

test('an archived version gets no new preset', async t => {
	const {service, plugin, path, body} = await worldOf(t);
	await service.request('PUT', plugin.path, {archived: true});
	t.deepEqual(refusalOf(await service.post(path, body())).slice(0, 2), [409, 'plugin_version_archived']);
});

test('an administrator of a branch presets the plugins above for the branch, an editor nothing', async t => {
	const {service, organisationId, branchId, path, body, list} = await worldOf(t);
	const preset = data(await service.post(path, body()));
	const administrator = await personIn(service, branchId, 'ORGANISATION_ADMIN');
	const own = await administrator.post(path, body({organisation_id: branchId}));
	t.is(own.status, 200);
	t.deepEqual(idsOf(await list(`organisation_id=${branchId}`, administrator)), [preset.id, own.body.data.id]);
	t.deepEqual(
		idsOf(await list(`organisation_id=${organisationId}`)),
		[preset.id],
		"the branch's are its own",
	);
	t.is((await administrator.get(`${path}/${preset.id}`)).status, 200);
	const foreign = await administrator.post(path, body());
	t.is(foreign.status, 400, 'for the organisation above, which is none of theirs');
	t.is((await administrator.request('PUT', `${path}/${preset.id}`, {archived: true})).status, 403);
	t.is((await administrator.request('PUT', `${path}/${own.body.data.id}`, {archived: true})).status, 200);

	const editor = await personIn(service, branchId, 'EDITOR');
	t.is((await editor.post(path, body({organisation_id: branchId}))).status, 403);
	t.is((await list(`organisation_id=${branchId}`, editor)).status, 200);
});

test('presets of a sister organisation are not there', async t => {
	const ours = await worldOf(t);
	const theirs = await worldOf(t);
	const {service} = ours;
	const preset = data(await service.post(theirs.path, theirs.body()));
	const administrator = await personIn(service, ours.organisationId, 'ORGANISATION_ADMIN');
	for (const path of [`${theirs.path}/${preset.id}`, `${ours.path}/${preset.id}`, `${ours.path}/987654`]) {
		t.is((await administrator.get(path)).body.error, 'Resource Not Found', path);
		t.is((await administrator.request('PUT', path, {archived: true})).status, 404, path);
	}
	t.is((await administrator.post(theirs.path, ours.body())).status, 404);
	t.is((await ours.list(`organisation_id=${theirs.organisationId}`, administrator)).status, 404);
	t.false(idsOf(await ours.list('max_results=500', administrator)).includes(preset.id));
});
