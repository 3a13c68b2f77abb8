import anyTest, {type TestFn} from 'ava';
import {data, LOCAL_WORKERS, makeAnalyzer, makePlugin} from '../../support/plugins.ts';
import {startTestService, type TestService} from '../../support/service.ts';
import {colleagueOf, strangerTo, suborganisationOf} from '../../support/stranger.ts';

const test = anyTest as TestFn<TestService>;

test.before(async t => {
	t.context = await startTestService(LOCAL_WORKERS);
});
test.after.always(async t => t.context?.stop?.());

interface Property {
	technical_name: string;
	value: {value: unknown};
	origin: string;
	writable: boolean;
	deletable: boolean;
}

const named = (list: Property[], name: string) => list.find(each => each.technical_name === name)!;

test('an analyzer is made by its plugin’s group and artifact, and is the same under both of its names', async t => {
	const {organisationId, get} = t.context;
	const made = await makePlugin(t.context, organisationId);
	const analyzer = await makeAnalyzer(t.context, made);
	t.like(analyzer, {
		name: 'an analyzer',
		organisation_id: organisationId,
		visit_analyzer_plugin_id: made.plugin.id,
		group_id: made.plugin.group_id,
		artifact_id: made.plugin.artifact_id,
		version_id: made.version.id,
		version_value: '1.0.0',
		error_recovery_strategy: 'STORE_WITH_ERROR_ID',
		preset_id: null,
	});
	for (const path of ['/v1/visit_analyzer_models', '/v1/activity_analyzers']) {
		t.deepEqual(data(await get(`${path}/${analyzer.id}`)), analyzer);
		const listed = await get(`${path}?organisation_id=${organisationId}&max_results=500`);
		t.true(listed.body.data.some((each: {id: string}) => each.id === analyzer.id));
	}
});

test('a plugin may be named by record, by version, or all at once as the console does', async t => {
	const {organisationId, post} = t.context;
	const {plugin, version} = await makePlugin(t.context, organisationId);
	const common = {name: 'a', error_recovery_strategy: 'DROP'};
	const ways = [
		{visit_analyzer_plugin_id: plugin.id},
		{version_id: version.id},
		{version_id: Number(version.id), version_value: '1.0.0', visit_analyzer_plugin_id: plugin.id},
		{group_id: plugin.group_id, artifact_id: plugin.artifact_id, version_id: '1.0.0'},
	];
	for (const way of ways) {
		const path = `/v1/visit_analyzer_models?organisation_id=${organisationId}`;
		t.is(data(await post(path, {...common, ...way})).version_id, version.id, JSON.stringify(way));
	}
});

test('an analyzer without a name, a strategy, or a plugin that can be used is refused by the field', async t => {
	const {organisationId, post} = t.context;
	const {plugin, version} = await makePlugin(t.context, organisationId);
	const router = await makePlugin(t.context, organisationId, 'EMAIL_ROUTER');
	const good = {
		name: 'a',
		organisation_id: organisationId,
		visit_analyzer_plugin_id: plugin.id,
		error_recovery_strategy: 'DROP',
	};
	const cases: [object, string][] = [
		[{...good, name: ' '}, '/name'],
		[{...good, error_recovery_strategy: undefined}, '/error_recovery_strategy'],
		[{...good, error_recovery_strategy: 'IGNORE'}, '/error_recovery_strategy'],
		[{...good, organisation_id: undefined}, '/organisation_id'],
		[{...good, organisation_id: '987654'}, '/organisation_id'],
		[{...good, visit_analyzer_plugin_id: '987654'}, '/visit_analyzer_plugin_id'],
		[{...good, visit_analyzer_plugin_id: undefined}, '/artifact_id'],
		[{...good, artifact_id: 'other'}, '/artifact_id'],
		[{...good, version_id: router.version.id}, '/version_id'],
		[{...good, version_value: '9.9.9'}, '/version_id'],
		[{...good, visit_analyzer_plugin_id: router.plugin.id}, '/artifact_id'],
		[{...good, visit_analyzer_plugin_id: undefined, artifact_id: plugin.artifact_id}, '/group_id'],
		[{...good, preset_id: '987654'}, '/preset_id'],
		[{...good, properties: [{technical_name: 'nothing', value: {value: 1}}]}, '/properties/0/technical_name'],
		[{...good, properties: [{technical_name: 'limit', value: {value: 'x'}}]}, '/properties/0/value/value'],
		[
			{...good, properties: [{technical_name: 'limit', property_type: 'STRING', value: {value: 'x'}}]},
			'/properties/0/property_type',
		],
	];
	for (const [body, pointer] of cases) {
		const answer = await post('/v1/visit_analyzer_models', body);
		t.is(answer.status, 400, JSON.stringify(body));
		t.is(answer.body.errors[0].pointer, pointer, JSON.stringify(body));
	}
	t.truthy(version);
});

test('nothing new is made of an archived version or plugin, and what was made before goes on', async t => {
	const {organisationId, post, get, request} = t.context;
	const made = await makePlugin(t.context, organisationId);
	const analyzer = await makeAnalyzer(t.context, made);
	const body = {...analyzer, id: undefined, preset_id: undefined};
	for (const path of [made.path, `/v1/plugins/${made.plugin.id}`]) {
		t.true(data(await request('PUT', path, {archived: true})).archived);
		t.is((await post('/v1/visit_analyzer_models', body)).body.errors[0].pointer, '/version_id');
		t.is(data(await get(`/v1/activity_analyzers/${analyzer.id}`)).id, analyzer.id);
		data(await request('PUT', path, {archived: false}));
	}
	data(await post('/v1/visit_analyzer_models', body));
});

test('an override stands until it is taken back, and what the plugin fixed stays', async t => {
	const {organisationId, get, request} = t.context;
	const made = await makePlugin(t.context, organisationId);
	const analyzer = await makeAnalyzer(t.context, made, {
		properties: [{technical_name: 'limit', property_type: 'INT', value: {value: 9}}],
	});
	const path = `/v1/visit_analyzer_models/${analyzer.id}/properties`;
	const read = async () => data(await get(`/v1/activity_analyzers/${analyzer.id}/properties`)) as Property[];
	const put = (name: string, body: object) => request('PUT', `${path}/technical_name=${name}`, body);

	t.like(named(await read(), 'limit'), {value: {value: 9}, origin: 'INSTANCE', deletable: true});
	t.like(named(await read(), 'field'), {value: {value: 'page'}, origin: 'PLUGIN'});

	const whole = {...named(await read(), 'field'), value: {value: 'title'}};
	t.like(data(await put('field', whole)), {value: {value: 'title'}, origin: 'INSTANCE', writable: true});
	t.like(named(await read(), 'field'), {value: {value: 'title'}, origin: 'INSTANCE'});

	// A form sends all it holds: what it did not change is no change.
	const provider = named(await read(), 'provider');
	t.like(data(await put('provider', provider)), {origin: 'PLUGIN_STATIC', value: {value: 'Example'}});
	const fixed = await put('provider', {...provider, value: {value: 'Else'}});
	t.is(fixed.status, 409);
	t.is(fixed.body.error_code, 'plugin_property_fixed');
	t.is((await put('nothing', {value: {value: 1}})).body.error_code, 'plugin_property_not_found');
	t.is((await put('limit', {value: {value: 1.5}})).body.errors[0].pointer, '/value/value');
	t.is((await put('limit', {technical_name: 'field', value: {}})).body.errors[0].pointer, '/technical_name');

	const reset = await request('DELETE', `${path}/technical_name=field`);
	t.like(data(reset), {value: {value: 'page'}, origin: 'PLUGIN'});
	t.is((await request('DELETE', `${path}/technical_name=nothing`)).status, 404);
	const all = await get(path);
	t.is(all.body.count, all.body.data.length);
});

test('a new analyzer gives no other value to what its plugin fixed; a form that sends all it holds is taken', async t => {
	const {organisationId, post, get} = t.context;
	const made = await makePlugin(t.context, organisationId);
	const declared = data(await get(`${made.path}/properties`)) as Property[];
	const body = {
		name: 'a',
		organisation_id: organisationId,
		version_id: made.version.id,
		error_recovery_strategy: 'DROP',
	};
	const provider = {technical_name: 'provider', value: {value: 'Else'}};
	const refused = await post('/v1/visit_analyzer_models', {...body, properties: [provider]});
	t.is(refused.status, 400);
	t.is(refused.body.errors[0].pointer, '/properties/0/technical_name');
	const {id} = data(await post('/v1/visit_analyzer_models', {...body, properties: declared}));
	const properties = data(await get(`/v1/activity_analyzers/${id}/properties`)) as Property[];
	t.like(named(properties, 'provider'), {value: {value: 'Example'}, origin: 'PLUGIN_STATIC'});
});

test('a list of properties is whole however long it is: plugin workers ask for no page', async t => {
	const {organisationId, get} = t.context;
	const made = await makePlugin(t.context, organisationId, 'ACTIVITY_ANALYZER', {
		plugin_properties: Array.from({length: 120}, (_, i) => ({
			technical_name: `p${i}`,
			property_type: 'INT',
			value: {value: i},
		})),
	});
	const analyzer = await makeAnalyzer(t.context, made);
	const path = `/v1/activity_analyzers/${analyzer.id}/properties`;
	const {body} = await get(path);
	t.like(body, {count: 120, total: 120});
	t.is(body.data[119].value.value, 119);
	const page = await get(`${path}?first_result=100&max_results=5`);
	t.deepEqual(
		page.body.data.map((each: Property) => each.value.value),
		[100, 101, 102, 103, 104],
	);
});

test('an analyzer changes its name, its strategy and its version, and keeps its values through it', async t => {
	const {organisationId, post, get, request} = t.context;
	const made = await makePlugin(t.context, organisationId);
	const analyzer = await makeAnalyzer(t.context, made, {
		properties: [{technical_name: 'limit', value: {value: 9}}],
	});
	const next = data(
		await post(`/v1/plugins/${made.plugin.id}/versions`, {
			version_id: '2.0.0',
			plugin_properties: [
				{technical_name: 'limit', property_type: 'INT', value: {value: 1}},
				{technical_name: 'new', property_type: 'STRING', value: {value: ''}},
			],
		}),
	);
	const path = `/v1/visit_analyzer_models/${analyzer.id}`;
	const changed = await request('PUT', path, {
		...analyzer,
		name: 'renamed',
		error_recovery_strategy: 'DROP',
		version_id: next.id,
	});
	t.like(data(changed), {name: 'renamed', error_recovery_strategy: 'DROP', version_value: '2.0.0'});
	const properties = data(await get(`${path}/properties`)) as Property[];
	t.deepEqual(
		properties.map(each => [each.technical_name, each.value.value]),
		[
			['limit', 9],
			['new', ''],
		],
	);
	const other = await makePlugin(t.context, organisationId);
	const foreign = await request('PUT', path, {version_id: other.version.id});
	t.is(foreign.body.errors[0].pointer, '/version_id');
	t.is(data(await get(path)).version_value, '2.0.0');

	t.is((await request('DELETE', path)).status, 200);
	t.is((await get(path)).status, 404);
	t.is((await get(path)).body.error, 'Resource Not Found');
});

test('an analyzer that a channel has is not removed under it', async t => {
	const {organisationId, datamartId, post, get, request} = t.context;
	const analyzer = await makeAnalyzer(t.context, await makePlugin(t.context, organisationId));
	const channel = data(await post(`/v1/datamarts/${datamartId}/channels`, {name: 'shop', type: 'SITE'}));
	const links = `/v1/channels/${channel.id}/visit_analyzer_models`;
	const link = data(await post(links, {visit_analyzer_model_id: analyzer.id}));
	const refused = await request('DELETE', `/v1/visit_analyzer_models/${analyzer.id}`);
	t.is(refused.status, 409);
	t.is(refused.body.error_code, 'plugin_instance_in_use');
	t.is((await get(`/v1/visit_analyzer_models/${analyzer.id}`)).status, 200);
	t.is((await request('DELETE', `${links}/${link.id}`)).status, 200);
	t.is((await request('DELETE', `/v1/visit_analyzer_models/${analyzer.id}`)).status, 200);
});

test('an email router is an instance like an analyzer, without a strategy, and no analyzer has its id', async t => {
	const {organisationId, post, get, request} = t.context;
	const {plugin} = await makePlugin(t.context, organisationId, 'EMAIL_ROUTER');
	const {group_id: groupId, artifact_id: artifactId} = plugin;
	const router = data(
		await post(`/v1/email_routers?organisation_id=${organisationId}`, {
			name: 'mailer',
			group_id: groupId,
			artifact_id: artifactId,
		}),
	);
	t.like(router, {name: 'mailer', organisation_id: organisationId, version_value: '1.0.0'});
	t.false('error_recovery_strategy' in router);
	t.is(data(await get(`/v1/email_routers/${router.id}/properties`)).length, 5);
	const put = await request('PUT', `/v1/email_routers/${router.id}/properties/technical_name=field`, {
		value: {value: 'x'},
	});
	t.is(data(put).origin, 'INSTANCE');
	t.is((await get(`/v1/activity_analyzers/${router.id}`)).status, 404);
	t.is((await request('DELETE', `/v1/email_routers/${router.id}`)).status, 200);
});

test('what a plugin is and what is made of it belongs to its organisation: below it may be used, elsewhere it is not there', async t => {
	const {organisationId, get} = t.context;
	const made = await makePlugin(t.context, organisationId);
	const analyzer = await makeAnalyzer(t.context, made);
	const stranger = await strangerTo(t.context);
	const below = await suborganisationOf(t.context);

	const paths = [`/v1/plugins/${made.plugin.id}`, made.path, `${made.path}/properties`];
	const instance = `/v1/visit_analyzer_models/${analyzer.id}`;
	for (const path of [
		...paths,
		instance,
		`${instance}/properties`,
		`/v1/plugins/version/${made.version.id}`,
	]) {
		const {status, body} = await stranger.get(path);
		t.is(status, 404, path);
		t.is(body.error, 'Resource Not Found');
	}
	t.is((await stranger.get(`/v1/plugins?organisation_id=${organisationId}`)).status, 404);
	t.is((await stranger.get(`/v1/plugins?max_results=500`)).body.total, 0);
	t.is((await stranger.get('/v1/visit_analyzer_models')).body.total, 0);

	for (const path of paths) t.is((await below.get(path)).status, 200, path);
	const usable = await below.get(`/v1/plugins?organisation_id=${below.organisationId}&max_results=500`);
	t.true(usable.body.data.some((each: {id: string}) => each.id === made.plugin.id));
	const theirs = await makeAnalyzer(below, made, {organisation_id: below.organisationId});
	t.is(theirs.organisation_id, below.organisationId);
	t.is((await below.get(instance)).status, 404);
	t.is((await get(`/v1/visit_analyzer_models/${theirs.id}`)).status, 200);
	t.is((await below.request('PUT', `/v1/plugins/${made.plugin.id}`, {archived: true})).status, 403);
	const above = await below.post('/v1/visit_analyzer_models', {
		name: 'a',
		organisation_id: organisationId,
		visit_analyzer_plugin_id: made.plugin.id,
		error_recovery_strategy: 'DROP',
	});
	t.is(above.body.errors[0].pointer, '/organisation_id');
	// Nobody above uses what a sub-organisation registered.
	const own = await makePlugin(below, below.organisationId);
	const refused = await t.context.post('/v1/visit_analyzer_models', {
		name: 'a',
		organisation_id: organisationId,
		visit_analyzer_plugin_id: own.plugin.id,
		error_recovery_strategy: 'DROP',
	});
	t.is(refused.body.errors[0].pointer, '/visit_analyzer_plugin_id');
});

test('a reader looks, an editor makes instances, an administrator makes plugins', async t => {
	const {organisationId} = t.context;
	const made = await makePlugin(t.context, organisationId);
	const reader = await colleagueOf(t.context, 'READER');
	const editor = await colleagueOf(t.context, 'EDITOR');
	const body = {
		name: 'a',
		organisation_id: organisationId,
		visit_analyzer_plugin_id: made.plugin.id,
		error_recovery_strategy: 'DROP',
	};
	t.is((await reader.get(made.path)).status, 200);
	t.is((await reader.post('/v1/visit_analyzer_models', body)).status, 403);
	t.is((await editor.post('/v1/visit_analyzer_models', body)).status, 200);
	t.is((await editor.post(`/v1/plugins/${made.plugin.id}/versions`, {version_id: '3'})).status, 403);
	t.is((await editor.request('PUT', `${made.path}/worker`, {url: 'http://127.0.0.1:9'})).status, 403);
});
