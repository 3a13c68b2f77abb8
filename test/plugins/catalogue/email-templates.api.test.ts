import anyTest, {type TestFn} from 'ava';
import {startPluginWorker} from '../../support/plugin-worker.ts';
import {data, LOCAL_WORKERS, makePlugin} from '../../support/plugins.ts';
import {startTestService, type TestService} from '../../support/service.ts';
import {strangerTo} from '../../support/stranger.ts';

const test = anyTest as TestFn<TestService>;

test.before(async t => {
	t.context = await startTestService(LOCAL_WORKERS);
});
test.after.always(async t => t.context?.stop?.());

async function renderer(service: TestService) {
	const made = await makePlugin(service, service.organisationId, 'EMAIL_TEMPLATE_RENDERER');
	const body = {
		type: 'EMAIL_TEMPLATE',
		organisation_id: service.organisationId,
		name: 'welcome',
		renderer_group_id: made.plugin.group_id,
		renderer_artifact_id: made.plugin.artifact_id,
		editor_artifact_id: 'default-editor',
		editor_group_id: 'org.example.template.email',
	};
	return {...made, body};
}

test('an email template has every field of the specification, and either of its ids finds it', async t => {
	const {body, plugin, version} = await renderer(t.context);
	const template = data(await t.context.post('/v1/email_templates', body));
	t.like(template, {
		...body,
		technical_name: null,
		archived: false,
		renderer_version_id: version.id,
		renderer_version_value: '1.0.0',
		renderer_plugin_id: plugin.id,
		subtype: null,
	});
	const specified = [
		...['type', 'id', 'organisation_id', 'name', 'technical_name', 'archived', 'editor_version_id'],
		...['editor_version_value', 'editor_group_id', 'editor_artifact_id', 'editor_plugin_id'],
		...['renderer_version_id', 'renderer_version_value', 'renderer_group_id', 'renderer_artifact_id'],
		...['renderer_plugin_id', 'creation_date', 'subtype'],
	];
	for (const field of specified) t.true(field in template, field);
	t.not(template.email_renderer_id, template.id);
	for (const id of [template.id, template.email_renderer_id]) {
		for (const path of [`/v1/creatives/${id}`, `/v1/email_templates/${id}`]) {
			t.deepEqual(data(await t.context.get(path)), template);
			t.is((await t.context.get(`${path}/renderer_properties?force-reload=true`)).body.count, 5);
		}
	}
});

test('templates are listed by organisation, name and archive, as creatives too, and change', async t => {
	const {organisationId, get, post, request} = t.context;
	const {body, plugin} = await renderer(t.context);
	const template = data(await post('/v1/email_templates', {...body, name: 'Summer sale'}));
	const list = async (query: string) =>
		(await get(`/v1/creatives?organisation_id=${organisationId}&${query}`)).body.data.map(
			(each: {id: string}) => each.id,
		);
	t.deepEqual(await list('type=EMAIL_TEMPLATE&archived=false&keywords=summer'), [template.id]);
	const changed = await request('PUT', `/v1/email_templates/${template.id}`, {
		...template,
		name: 'Winter sale',
		technical_name: 'winter',
		archived: true,
	});
	t.like(data(changed), {name: 'Winter sale', technical_name: 'winter', archived: true});
	t.deepEqual(await list('archived=false&keywords=sale'), []);
	t.deepEqual(await list('archived=true&keywords=sale'), [template.id]);
	t.is((await get('/v1/creatives?type=DISPLAY_AD')).status, 400);

	const next = data(await post(`/v1/plugins/${plugin.id}/versions`, {version_id: '2.0.0'}));
	const upgraded = await request('PUT', `/v1/email_templates/${template.id}`, {renderer_version_id: next.id});
	t.is(data(upgraded).renderer_version_value, '2.0.0');
	const other = await makePlugin(t.context, organisationId, 'EMAIL_TEMPLATE_RENDERER');
	const foreign = await request('PUT', `/v1/email_templates/${template.id}`, {
		renderer_version_id: other.version.id,
	});
	t.is(foreign.body.errors[0].pointer, '/renderer_version_id');
});

test('a template without a name or a renderer that can be used is refused by the field', async t => {
	const {organisationId, post, get} = t.context;
	const made = await renderer(t.context);
	const body = {...made.body, name: 'never made'};
	const analyzer = await makePlugin(t.context, organisationId);
	const cases: [object, string][] = [
		[{...body, name: ''}, '/name'],
		[{...body, type: 'DISPLAY_AD'}, '/type'],
		[{...body, organisation_id: '987654'}, '/organisation_id'],
		[{...body, renderer_artifact_id: 'nobody'}, '/renderer_artifact_id'],
		[{...body, renderer_group_id: undefined}, '/renderer_group_id'],
		[{...body, renderer_version_value: '9'}, '/renderer_version_id'],
		[
			{
				...body,
				renderer_group_id: analyzer.plugin.group_id,
				renderer_artifact_id: analyzer.plugin.artifact_id,
			},
			'/renderer_artifact_id',
		],
	];
	for (const [faulty, pointer] of cases) {
		const answer = await post('/v1/email_templates', faulty);
		t.is(answer.status, 400, pointer);
		t.is(answer.body.errors[0].pointer, pointer);
	}
	t.is((await get('/v1/email_templates?keywords=never')).body.total, 0);
});

test('a renderer reads by the creative’s id, sees an edit at once when it reloads, and another’s template never', async t => {
	const service = t.context;
	const {body, path} = await renderer(service);
	const template = data(await service.post('/v1/email_templates', body));
	const worker = await startPluginWorker({
		gateway: service.url,
		isDown: true,
		render: (_, {instance, properties}) => ({
			meta: {subject_line: instance.name},
			content: {html: properties.get('field').value.value, text: ''},
			data: {},
		}),
	});
	t.teardown(() => worker.close());
	worker.comeUp(data(await service.request('PUT', `${path}/worker`, {url: worker.url})));
	const render = async (creativeId: string, context: string) => {
		const response = await fetch(`${worker.url}/v1/email_contents`, {
			method: 'POST',
			body: JSON.stringify({creative_id: creativeId, email_renderer_id: template.email_renderer_id, context}),
		});
		return {status: response.status, text: await response.text()};
	};
	const html = async (context: string) => JSON.parse((await render(template.id, context)).text).content.html;
	t.is(await html('LIVE'), 'page');
	const name = `/v1/email_templates/${template.id}/renderer_properties/technical_name=field`;
	t.is(data(await service.request('PUT', name, {value: {value: 'edited'}})).origin, 'INSTANCE');
	t.is(await html('LIVE'), 'page');
	t.is(await html('PREVIEW'), 'edited');
	t.is(data(await service.request('DELETE', name)).origin, 'PLUGIN');
	t.is(await html('STAGE'), 'page');

	const stranger = await strangerTo(service);
	const theirs = await makePlugin(stranger, stranger.organisationId, 'EMAIL_TEMPLATE_RENDERER');
	const foreign = data(
		await stranger.post('/v1/email_templates', {
			name: 'theirs',
			organisation_id: stranger.organisationId,
			renderer_version_id: theirs.version.id,
		}),
	);
	t.regex((await render(foreign.id, 'LIVE')).text, /^404 .*Resource Not Found/);
	t.is((await stranger.get(`/v1/creatives/${template.id}`)).status, 404);
});
