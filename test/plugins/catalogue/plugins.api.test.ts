import {randomUUID} from 'node:crypto';
import anyTest, {type TestFn} from 'ava';
import {data, LOCAL_WORKERS, makePlugin, PROPERTIES} from '../../support/plugins.ts';
import {startTestService, type TestService} from '../../support/service.ts';

const test = anyTest as TestFn<TestService>;

test.before(async t => {
	t.context = await startTestService(LOCAL_WORKERS);
});
test.after.always(async t => t.context?.stop?.());

const NAME = {group_id: 'org.example.activity-analyzer', artifact_id: 'cleaner'};

test('a plugin is registered, found again by every way, and no second one has its name', async t => {
	const {organisationId, post, get} = t.context;
	const artifact = `cleaner-${randomUUID()}`;
	const body = {
		...NAME,
		artifact_id: artifact,
		plugin_type: 'ACTIVITY_ANALYZER',
		organisation_id: organisationId,
	};
	const plugin = data(await post('/v1/plugins', body));
	t.like(plugin, {...body, current_version_id: null});
	t.is(typeof plugin.id, 'string');
	t.deepEqual(data(await get(`/v1/plugins/${plugin.id}`)), plugin);
	const found = await get(
		`/v1/plugins?plugin_type=ACTIVITY_ANALYZER&group_id=${NAME.group_id}&artifact_id=${artifact}` +
			`&organisation_id=${organisationId}&max_results=500`,
	);
	t.deepEqual(found.body.data, [plugin]);
	t.like(found.body, {status: 'ok', count: 1, total: 1, first_result: 0, max_results: 500});
	t.is((await get(`/v1/plugins?plugin_type=EMAIL_ROUTER&artifact_id=${artifact}`)).body.total, 0);

	const again = await post('/v1/plugins', body);
	t.is(again.status, 409);
	t.like(again.body, {error_code: 'plugin_taken', errors: [{pointer: '/artifact_id'}]});
});

test('a plugin without a type is refused in the words that clients know', async t => {
	const {organisationId, post} = t.context;
	const {status, body} = await post('/v1/plugins', {...NAME, organisation_id: organisationId});
	t.is(status, 400);
	t.like(body, {error: 'plugin_type must be defined', error_code: 'field_invalid'});
	t.is(body.errors[0].pointer, '/plugin_type');
	const unknown = await post('/v1/plugins', {
		...NAME,
		organisation_id: organisationId,
		plugin_type: 'WIDGET',
	});
	t.is(unknown.body.errors[0].pointer, '/plugin_type');
	const elsewhere = {...NAME, organisation_id: '987654', plugin_type: 'EMAIL_ROUTER'};
	t.is((await post('/v1/plugins', elsewhere)).body.errors[0].pointer, '/organisation_id');
});

test('all seven types of plugins can be registered', async t => {
	const {organisationId} = t.context;
	const types = [
		...([
			'ACTIVITY_ANALYZER',
			'DISPLAY_AD_RENDERER',
			'AUDIENCE_SEGMENT_EXTERNAL_FEED',
			'EMAIL_ROUTER',
		] as const),
		...(['EMAIL_TEMPLATE_RENDERER', 'ATTRIBUTION_PROCESSOR', 'SCENARIO_CUSTOM_ACTION'] as const),
	];
	for (const type of types) {
		const {plugin} = await makePlugin(t.context, organisationId, type);
		t.is(plugin.plugin_type, type);
	}
});

test('a version keeps its properties as they were given, and the newest one is current until somebody says otherwise', async t => {
	const {organisationId, post, get, request} = t.context;
	const {plugin, version, path} = await makePlugin(t.context, organisationId, 'ACTIVITY_ANALYZER', {
		maintainer_id: '7',
		max_qps: 50,
	});
	t.like(version, {
		plugin_id: plugin.id,
		organisation_id: organisationId,
		plugin_type: 'ACTIVITY_ANALYZER',
		group_id: plugin.group_id,
		artifact_id: plugin.artifact_id,
		version_id: '1.0.0',
		max_qps: 50,
		maintainer_id: '7',
		status: 'DRAFT',
		archived: false,
	});
	const properties = await get(`${path}/properties`);
	t.is(properties.body.count, PROPERTIES.length);
	t.deepEqual(
		properties.body.data.map((each: {technical_name: string}) => each.technical_name),
		PROPERTIES.map(each => each.technical_name),
	);
	t.deepEqual(properties.body.data[2], {
		technical_name: 'field',
		property_type: 'STRING',
		value: {value: 'page'},
		origin: 'PLUGIN',
		writable: true,
		deletable: false,
	});
	// What the plugin fixed cannot be written, whatever was said of it.
	t.like(properties.body.data[1], {origin: 'PLUGIN_STATIC', writable: false});

	const second = data(await post(`/v1/plugins/${plugin.id}/versions`, {version_id: '1.1.0'}));
	t.is(data(await get(`/v1/plugins/version/${second.id}`)).current_version_id, second.id);
	t.deepEqual(
		(await get(`/v1/plugins/${plugin.id}/versions`)).body.data.map((each: {id: string}) => each.id),
		[version.id, second.id],
	);
	const back = await request('PUT', `/v1/plugins/${plugin.id}`, {current_version_id: version.id});
	t.is(data(back).current_version_id, version.id);
	const other = await makePlugin(t.context, organisationId);
	const foreign = await request('PUT', `/v1/plugins/${plugin.id}`, {current_version_id: other.version.id});
	t.is(foreign.body.errors[0].pointer, '/current_version_id');

	const taken = await post(`/v1/plugins/${plugin.id}/versions`, {version_id: '1.1.0'});
	t.is(taken.status, 409);
	t.like(taken.body, {error_code: 'version_id_taken', errors: [{pointer: '/version_id'}]});
	const mixed = await get(`/v1/plugins/${other.plugin.id}/versions/${version.id}`);
	t.is(mixed.status, 404);
	t.is(mixed.body.error, 'Resource Not Found');
});

test('a property whose value does not have the shape of its type is refused by its place, and nothing is stored', async t => {
	const {organisationId, post, get} = t.context;
	const {plugin} = await makePlugin(t.context, organisationId);
	const cases: [type: string, value: unknown, pointer: string][] = [
		['STRING', {value: 7}, '/plugin_properties/0/value/value'],
		['BOOLEAN', {value: 'yes'}, '/plugin_properties/0/value/value'],
		['INT', {value: 1.5}, '/plugin_properties/0/value/value'],
		['INT', {value: 2 ** 31}, '/plugin_properties/0/value/value'],
		['DOUBLE', {value: 'many'}, '/plugin_properties/0/value/value'],
		['URL', {url: 'not an address'}, '/plugin_properties/0/value/url'],
		['DATA_FILE', {uri: 7}, '/plugin_properties/0/value/uri'],
		['ASSET', {asset_id: []}, '/plugin_properties/0/value/asset_id'],
		['AD_LAYOUT', 'text', '/plugin_properties/0/value'],
		['SECRET', {value: ''}, '/plugin_properties/0/property_type'],
	];
	for (const [type, value, pointer] of cases) {
		const property = {technical_name: 'p', property_type: type, value};
		const answer = await post(`/v1/plugins/${plugin.id}/versions`, {
			version_id: '2.0.0',
			plugin_properties: [property],
		});
		t.is(answer.status, 400, type);
		t.is(answer.body.errors[0].pointer, pointer, type);
	}
	const twice = {technical_name: 'p', property_type: 'STRING', value: {value: ''}};
	const doubled = await post(`/v1/plugins/${plugin.id}/versions`, {
		version_id: '2.0.0',
		plugin_properties: [twice, twice],
	});
	t.is(doubled.body.errors[0].pointer, '/plugin_properties/1/technical_name');
	t.is((await get(`/v1/plugins/${plugin.id}/versions`)).body.total, 1);
});

test('every type of property keeps its value, keys nobody knows included', async t => {
	const {organisationId, get} = t.context;
	const values: Record<string, object> = {
		DOUBLE: {value: 0.5},
		LONG: {value: 9_007_199_254_740_991},
		PIXEL_TAG: {value: '<img src="x">\u0000'},
		URL: {url: 'https://example.org/{id}'},
		ASSET: {original_file_name: 'a.png', asset_id: '3', file_path: '/a.png'},
		ASSET_FOLDER: {original_name: 'a', asset_id: 3, path: '/a'},
		DATA_FILE: {uri: 'svc://data_file/tenants/1/a.json', last_modified: 5},
		AD_LAYOUT: {id: '1', version: '2'},
		STYLE_SHEET: {id: null, version: null},
		RECOMMENDER: {recommender_id: '4', more: {kept: [1, 'two', null]}},
		NATIVE_TITLE: {require_display: true, value: 'title'},
	};
	const {path} = await makePlugin(t.context, organisationId, 'DISPLAY_AD_RENDERER', {
		plugin_properties: Object.entries(values).map(([type, value]) => ({
			technical_name: type.toLowerCase(),
			property_type: type,
			value,
		})),
	});
	const stored = data(await get(`${path}/properties`)) as {property_type: string; value: object}[];
	t.deepEqual(Object.fromEntries(stored.map(({property_type: type, value}) => [type, value])), values);
});

test('numbers that a form sent as text are numbers for the plugin, and a missing value is a null one', async t => {
	const {organisationId, get} = t.context;
	const {path} = await makePlugin(t.context, organisationId, 'EMAIL_ROUTER', {
		plugin_properties: [
			{technical_name: 'port', property_type: 'INT', value: {value: '587'}},
			{technical_name: 'user', property_type: 'STRING'},
			{technical_name: 'host', property_type: 'STRING', value: null},
		],
	});
	const stored = data(await get(`${path}/properties`)) as {value: object}[];
	t.deepEqual(
		stored.map(({value}) => value),
		[{value: 587}, {value: null}, {value: null}],
	);
});
