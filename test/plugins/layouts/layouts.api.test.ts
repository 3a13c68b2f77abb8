import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import {data, makeAnalyzer, makePlugin, PROPERTIES, type TestPlugin} from '../../support/plugins.ts';
import {type Answer, startTestService, type TestService} from '../../support/service.ts';

const test = anyTest as TestFn<{service: TestService}>;

test.before(async t => {
	t.context = {service: await startTestService()};
});
test.after.always(async t => t.context.service?.stop());

/** The specification's fields and the field's further ones. */
const LAYOUT = {
	version: 'V201801',
	sections: [
		{
			title: '{{GENERAL}}',
			sub_title: '',
			fields: [
				{
					property_technical_name: 'field',
					field_type: 'SELECT',
					label: '{{FIELD}} ({{OTHER}})',
					tooltip: null,
					enum: [{value: 'page', label: '{{PAGE}}'}],
					max_length: null,
					required: true,
					placeholder: '{{FIELD}}…',
				},
			],
			advanced_fields: [
				{property_technical_name: 'limit', field_type: 'DYNAMIC_SELECT', label: 'Limit', enum: null},
			],
		},
	],
	metadata: {
		large_icon_asset_id: '987654321',
		small_icon_asset_id: 987654322,
		display_name: 'Cleaner',
		description: '{{DESCRIPTION}}',
		tooltip: null,
	},
	of_the_ui: {kept: ['{{GENERAL}}']},
};

const ENGLISH =
	'KEY,VALUE\nGENERAL,General\nFIELD,"Field, to be cleaned"\nPAGE,Page\nDESCRIPTION,"It\ncleans"\n';

interface World {
	readonly plugin: TestPlugin;
	readonly layout: string;
	readonly locale: (name: string) => string;
	readonly get: TestService['get'];
	put(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
}

async function worldOf(t: ExecutionContext<{service: TestService}>): Promise<World> {
	const {service} = t.context;
	const plugin = await makePlugin(service, service.organisationId);
	const layout = `${plugin.path}/properties_layout`;
	return {
		plugin,
		layout,
		locale: name => `${layout}/localizations/locale=${name}`,
		get: service.get,
		put: (path, body, headers) => service.request('PUT', path, body, headers),
	};
}

const pointersOf = ({body}: Answer) => body.errors?.map(({pointer}: {pointer: string}) => pointer);

test('a layout comes back as it was sent, as octets, and listed with its locales', async t => {
	const {layout, locale, get, put} = await worldOf(t);
	const text = `${JSON.stringify(LAYOUT, null, 3)}\n`;
	t.is((await get(layout)).status, 404, 'none stored: the client falls back to its own form');
	t.deepEqual((await get(`${layout}.listing`)).body.data, []);

	const stored = await put(layout, text, {'content-type': 'application/octet-stream'});
	t.deepEqual(stored.body, {status: 'ok', data: {layout: LAYOUT}});
	const answer = await fetch(t.context.service.url + layout, {
		headers: {authorization: `Bearer ${t.context.service.token}`},
	});
	t.is(answer.headers.get('content-type'), 'application/octet-stream');
	t.is(await answer.text(), text, 'read at once, byte for byte, tokens and unknown keys included');

	for (const name of ['fr-FR', 'en_US']) t.is((await put(locale(name), ENGLISH)).status, 200);
	const listing = await get(`${layout}.listing`);
	t.deepEqual(listing.body.data, [
		{file_type: 'PROPERTIES'},
		{file_type: 'LOCALE', locale: 'en-US'},
		{file_type: 'LOCALE', locale: 'fr-FR'},
	]);
	t.is((await get(`${layout}.listing?first_result=1&max_results=1`)).body.data[0].locale, 'en-US');
});

test('with a locale the texts stand in place of their tokens, and a token without one stays', async t => {
	const {layout, locale, get, put} = await worldOf(t);
	await put(layout, JSON.stringify(LAYOUT));
	t.is((await put(locale('en-US'), `\ufeff${ENGLISH}`)).status, 200);
	const {body} = await get(`${layout}?locale=en-US`);
	t.is(body.status, 'ok');
	const [section] = body.data.layout.sections;
	t.is(section.title, 'General');
	t.is(section.fields[0].label, 'Field, to be cleaned ({{OTHER}})');
	t.is(section.fields[0].enum[0].label, 'Page');
	t.is(section.fields[0].placeholder, 'Field, to be cleaned…');
	t.is(body.data.layout.metadata.description, 'It\ncleans');
	t.deepEqual(body.data.layout.of_the_ui, {kept: ['General']});
	t.deepEqual((await get(`${layout}?locale=EN_us`)).body, body, 'whatever the spelling');

	for (const unknown of ['de', 'not a locale', '..']) {
		const refused = await get(`${layout}?locale=${encodeURIComponent(unknown)}`);
		t.deepEqual([refused.status, refused.body.error], [404, 'Resource Not Found'], unknown);
	}
	t.is((await get(locale('en-US'))).body, ENGLISH, 'the file itself, without its mark');
	t.is((await get(locale('de'))).status, 404);
});

test('a client that escapes the equals sign of a path finds what others find', async t => {
	const {plugin, layout, get, put} = await worldOf(t);
	const escaped = `${layout}/localizations/${encodeURIComponent('locale=en-US')}`;
	t.is((await put(escaped, ENGLISH)).status, 200);
	t.is((await get(escaped)).body, ENGLISH);
	t.is((await get(escaped.replace('%3D', '='))).body, ENGLISH);
	const {id} = await makeAnalyzer(t.context.service, plugin);
	const property = await put(`/v1/activity_analyzers/${id}/properties/technical_name%3dlimit`, {
		technical_name: 'limit',
		property_type: 'INT',
		value: {value: 7},
	});
	t.deepEqual(data(property).value, {value: 7});
});

test('every fault of a layout is named by its path, and the former one stays', async t => {
	const {layout, get, put} = await worldOf(t);
	await put(layout, JSON.stringify(LAYOUT));
	const faulty = {
		sections: [
			{title: 1, sub_title: 'x', fields: [{property_technical_name: 'a', field_type: 'COLOUR', label: 'x'}]},
			{...LAYOUT.sections[0], advanced_fields: [{label: 'x', field_type: 'INPUT', max_length: '7'}]},
			{
				...LAYOUT.sections[0],
				fields: [
					{
						property_technical_name: 'a',
						field_type: 'SELECT',
						label: 'x',
						required: 'yes',
						enum: [{value: 1}],
					},
				],
			},
		],
		metadata: {large_icon_asset_id: true, display_name: 'x', description: 'x'},
	};
	const refused = await put(layout, JSON.stringify(faulty));
	t.is(refused.status, 400);
	t.deepEqual(pointersOf(refused).sort(), [
		'/metadata/large_icon_asset_id',
		'/metadata/small_icon_asset_id',
		'/sections/0/advanced_fields',
		'/sections/0/fields/0/field_type',
		'/sections/0/title',
		'/sections/1/advanced_fields/0/max_length',
		'/sections/1/advanced_fields/0/property_technical_name',
		'/sections/2/fields/0/enum/0/label',
		'/sections/2/fields/0/enum/0/value',
		'/sections/2/fields/0/required',
		'/version',
	]);
	for (const text of ['', '{', 'null', '[]', '"{"']) {
		const answer = await put(layout, text);
		t.is(answer.status, 400, text);
	}
	const deep = `{"x": ${'['.repeat(5000)}${']'.repeat(5000)}, ${JSON.stringify(LAYOUT).slice(1)}`;
	t.is((await put(layout, deep)).status, 400);
	t.deepEqual((await get(layout)).body, LAYOUT);
	const wrapped = {...LAYOUT, version: 'wrapped'};
	t.is((await put(layout, JSON.stringify(JSON.stringify(wrapped)))).status, 200);
	t.deepEqual((await get(layout)).body, wrapped, 'sent as the text of a JSON string');
});

test('a faulty translation is refused by its lines, and the former one stays', async t => {
	const {locale, get, put} = await worldOf(t);
	await put(locale('en'), ENGLISH);
	t.deepEqual(pointersOf(await put(locale('en'), 'KEY,VALUE\nA,b,c\nB')), ['line 2', 'line 3']);
	t.deepEqual(pointersOf(await put(locale('en'), '')), ['line 1']);
	t.deepEqual(pointersOf(await put(locale('in%20english'), ENGLISH)), ['locale']);
	t.is((await get(locale('en'))).body, ENGLISH);
});

test('icons of another organisation are refused, ours are taken, as text or number', async t => {
	const {layout, put} = await worldOf(t);
	const {service} = t.context;
	const ours = data(await service.post(`/v1/assets?organisation_id=${service.organisationId}`, 'icon'));
	const other = data(
		await service.post('/v1/organisations', {name: 'Other', administrator_id: service.organisationId}),
	);
	const theirs = data(await service.post(`/v1/assets?organisation_id=${other.id}`, 'icon'));
	const icons = (large: unknown, small: unknown) =>
		put(
			layout,
			JSON.stringify({
				...LAYOUT,
				metadata: {...LAYOUT.metadata, large_icon_asset_id: large, small_icon_asset_id: small},
			}),
		);
	t.is((await icons(ours.id, Number(ours.id))).status, 200);
	t.is((await icons('{{ICON}}', null)).status, 200);
	const refused = await icons(theirs.id, Number(theirs.id));
	t.is(refused.status, 400);
	t.deepEqual(pointersOf(refused), ['/metadata/large_icon_asset_id', '/metadata/small_icon_asset_id']);
});

test('without a layout the default one shows every property, where it is asked for', async t => {
	const {layout, get, put} = await worldOf(t);
	const {body} = await get(`${layout}?default=true`);
	const fields = body.sections.flatMap((section: {fields: object[]}) => section.fields);
	t.deepEqual(
		fields.map((field: Record<string, string>) => [field.property_technical_name, field.field_type]),
		PROPERTIES.map(({technical_name: name, property_type: type}) => [
			name,
			{STRING: 'INPUT', BOOLEAN: 'SWITCH', INT: 'INPUT_NUMBER'}[type],
		]),
	);
	t.deepEqual((await get(`${layout}?default=true&locale=fr`)).body.data.layout, body);
	t.is((await put(layout, JSON.stringify(body))).status, 200, 'it is a layout like any other');
	await put(layout, JSON.stringify(LAYOUT));
	t.deepEqual((await get(`${layout}?default=true`)).body, LAYOUT);
});

test('instances answer the layout of their version, in a locale too', async t => {
	const {plugin, layout, locale, get, put} = await worldOf(t);
	const {service} = t.context;
	await put(layout, JSON.stringify(LAYOUT));
	await put(locale('en-US'), ENGLISH);
	const analyzer = await makeAnalyzer(service, plugin);
	for (const path of ['activity_analyzers', 'visit_analyzer_models']) {
		const of = `/v1/${path}/${analyzer.id}/properties_layout`;
		t.deepEqual((await get(of)).body, LAYOUT);
		t.is((await get(`${of}?locale=en-US`)).body.data.layout.sections[0].title, 'General');
	}
	const renderer = await makePlugin(service, service.organisationId, 'EMAIL_TEMPLATE_RENDERER');
	await put(`${renderer.path}/properties_layout`, JSON.stringify(LAYOUT));
	const template = data(
		await service.post('/v1/email_templates', {
			type: 'EMAIL_TEMPLATE',
			organisation_id: service.organisationId,
			name: 'Mail',
			renderer_group_id: renderer.plugin.group_id,
			renderer_artifact_id: renderer.plugin.artifact_id,
		}),
	);
	t.deepEqual((await get(`/v1/email_templates/${template.id}/properties_layout`)).body, LAYOUT);
	t.is((await get('/v1/email_templates/987654/properties_layout')).status, 404);
});

test('a layout of an archived version stays as it is', async t => {
	const {plugin, layout, locale, get, put} = await worldOf(t);
	await put(layout, JSON.stringify(LAYOUT));
	t.is((await put(plugin.path, {archived: true})).status, 200);
	for (const [path, body] of [
		[layout, JSON.stringify(LAYOUT)],
		[locale('en'), ENGLISH],
	] as const) {
		const refused = await put(path, body);
		t.deepEqual([refused.status, refused.body.error_code], [409, 'plugin_version_archived']);
	}
	t.deepEqual((await get(layout)).body, LAYOUT);
});
