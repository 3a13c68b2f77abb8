import anyTest, {type TestFn} from 'ava';
import {only, reportBody} from '../support/activity-report.ts';
import {clientOf, startTestService, type TestService} from '../support/service.ts';

const test = anyTest as TestFn<{service: TestService; path: string; channelId: number}>;
const NOON = Date.UTC(2026, 2, 10, 12);

test.before(async t => {
	const service = await startTestService();
	t.context.service = service;
	const datamart = `/v1/datamarts/${service.datamartId}`;
	t.context.path = `${datamart}/user_activities_analytics`;
	const {body} = await service.post(`${datamart}/channels`, {
		name: 'Shop',
		type: 'SITE',
		organisation_id: service.organisationId,
	});
	const channelId = Number(body.data.id);
	t.context.channelId = channelId;
	const visit = (agent: string, more: object, events: object[]) => ({
		$type: 'SITE_VISIT',
		$site_id: String(channelId),
		$session_status: 'CLOSED_SESSION',
		$ts: NOON,
		$user_identifiers: agent ? [{$type: 'USER_AGENT', $user_agent_id: `vec:${agent}`}] : [],
		$user_agent_info: {
			form_factor: 'SMARTPHONE',
			os_family: 'ANDROID',
			browser_family: 'CHROME',
			brand: 'Tarn',
		},
		$events: events.map((event, at) => ({$ts: NOON + at * 1000, ...event})),
		...more,
	});
	const item = (brand: string, price: number) => ({
		$properties: {$items: [{$product_id: 'p1', $brand: brand, $category1: 'Shoes', $qty: 1, $price: price}]},
	});
	const posted = await service.post(`${datamart}/user_activities?async=false`, [
		visit('ann', {$session_duration: 90, $origin: {$source: 'search', $channel: 'organic'}}, [
			{$event_name: '$page_view'},
			{$event_name: '$item_view', ...item('Fellgate', 100)},
			{$event_name: '$transaction_confirmed', ...item('Fellgate', 100)},
		]),
		visit('bob', {$session_duration: 30}, [{$event_name: '$item_view', ...item('Tarn', 20)}]),
		visit('', {$type: 'APP_VISIT'}, [{$event_name: '$page_view'}]),
		visit('ann', {$type: 'DISPLAY_AD', $origin: {$campaign_id: 12}}, [{$event_name: '$ad_view'}]),
	]);
	t.is(posted.status, 200, JSON.stringify(posted.body));
});
test.after.always(t => t.context.service?.stop());

/** As the field's screens post it: visits of sites and applications (field guide, section 3). */
const VISITS = {
	operator: 'OR',
	filters: [
		{
			dimension_name: 'type',
			not: false,
			operator: 'IN_LIST',
			expressions: ['SITE_VISIT', 'APP_VISIT'],
			case_sensitive: false,
		},
	],
};

test('the screens’ table by channel and day', async t => {
	const {service, path, channelId} = t.context;
	const {status, body} = await service.post(
		path,
		reportBody(
			['channel_name', 'channel_id', 'date_yyyy_mm_dd'],
			[
				...['sessions', 'users', 'avg_session_duration', 'avg_number_of_user_events', 'conversion_rate'],
				...['avg_number_of_transactions_per_user_point', 'number_of_transactions', 'avg_transaction_amount'],
				...['avg_revenue_per_user_point', 'revenue'],
			],
			{dimension_filter_clauses: VISITS, sample_factor: 1},
		),
	);

	t.is(status, 200, JSON.stringify(body));
	t.deepEqual(body, {
		status: 'ok',
		data: {
			report_view: {
				items_per_page: 100,
				total_items: 1,
				columns_headers: [
					...['channel_name', 'channel_id', 'date_yyyy_mm_dd', 'sessions', 'users', 'avg_session_duration'],
					...['avg_number_of_user_events', 'conversion_rate', 'avg_number_of_transactions_per_user_point'],
					...['number_of_transactions', 'avg_transaction_amount', 'avg_revenue_per_user_point', 'revenue'],
				],
				rows: [['Shop', channelId, '2026-03-10', 3, 2, 60, 5 / 3, 100 / 3, 0.5, 1, 100, 50, 100]],
			},
		},
	});
});

test('every set of dimensions the screens ask answers', async t => {
	const {service, path} = t.context;
	const sets: [string[], unknown[][]][] = [
		[[], [[3]]],
		[['device_form_factor'], [['SMARTPHONE', 3]]],
		[['device_browser_family'], [['CHROME', 3]]],
		[['device_os_family'], [['ANDROID', 3]]],
		[
			['origin_source'],
			[
				[null, 2],
				['search', 1],
			],
		],
		[
			['origin_channel', 'date_yyyy_mm_dd'],
			[
				[null, '2026-03-10', 2],
				['organic', '2026-03-10', 1],
			],
		],
		[['date_yyyy_mm_dd'], [['2026-03-10', 3]]],
		[
			['number_of_confirmed_transactions'],
			[
				[0, 2],
				[1, 1],
			],
		],
	];
	for (const [dimensions, rows] of sets) {
		const {body} = await service.post(
			path,
			reportBody(dimensions, ['sessions'], {dimension_filter_clauses: VISITS, sample_factor: 1}),
		);
		t.deepEqual(body.data?.report_view.rows, rows, JSON.stringify(body));
	}
	const users = await service.post(path, reportBody([], ['users']));
	t.deepEqual(users.body.data.report_view.rows, [[2]]);
});

test('autocomplete as the screens post it, and event types without any clause', async t => {
	const {service, path} = t.context;
	const like = async (name: string, keyword: string) => {
		const filter = {dimension_name: name, operator: 'LIKE', expressions: [keyword], case_sensitive: false};
		const clause = {operator: 'OR', filters: [filter]};
		const {body} = await service.post(path, reportBody([name], [], {dimension_filter_clauses: clause}));
		return body.data?.report_view.rows ?? body;
	};

	t.deepEqual(await like('BRAND', ''), [['Fellgate'], ['Tarn']]);
	t.deepEqual(await like('BRAND', 'TA'), [['Tarn']]);
	t.deepEqual(await like('CATEGORY1', ''), [['Shoes']]);
	t.deepEqual(await like('CATEGORY2', ''), []);
	t.deepEqual(await like('PRODUCT_ID', 'p'), [['p1']]);
	t.deepEqual(await like('DEVICE_BRAND', ''), [['Tarn']]);
	t.deepEqual(await like('DEVICE_MODEL', ''), []);
	t.deepEqual(await like('DEVICE_CARRIER', ''), []);
	t.deepEqual(await like('TYPE', 'visit'), [['SITE_VISIT'], ['APP_VISIT']]);
	const {body} = await service.post(path, reportBody(['EVENT_TYPE']));
	t.deepEqual(body.data.report_view, {
		items_per_page: 100,
		total_items: 4,
		columns_headers: ['event_type'],
		rows: [['$item_view'], ['$page_view'], ['$ad_view'], ['$transaction_confirmed']],
	});
});

test('a value is in its list, and in its place there, as soon as it is queryable: out of memory too', async t => {
	const {service, path, channelId} = t.context;
	const datamart = `/v1/datamarts/${service.datamartId}`;
	const visit = (source: string) =>
		service.post(`${datamart}/user_activities?async=false`, {
			$type: 'SITE_VISIT',
			$site_id: String(channelId),
			$ts: Date.UTC(2026, 4, 10),
			$user_identifiers: [],
			$origin: {$source: source},
			$events: [],
		});
	const list = () => {
		const may = [{start_date: '2026-05-01T00:00:00', end_date: '2026-05-31T23:59:59'}];
		return service.post(path, {
			...reportBody(['ORIGIN_SOURCE']),
			...only('ORIGIN_SOURCE', 'LIKE', ['Er']),
			date_ranges: may,
		});
	};
	const fromMemory = async () => {
		const {body} = await service.get('/metrics');
		return Number(
			String(body).match(/millrace_queries_total\{name="autocomplete.values",outcome="live"\} (\d+)/)?.[1] ??
				0,
		);
	};
	t.is((await visit('later')).status, 200);
	const before = await fromMemory();
	for (let asked = 0; asked < 100 && (await fromMemory()) === before; asked++) {
		t.deepEqual((await list()).body.data.report_view.rows, [['later']]);
	}
	for (const expected of [
		// As many facts: by their texts.
		[['ERA'], ['later']],
		[['ERA'], ['later']],
	]) {
		t.is((await visit('ERA')).status, 200);
		const {headers, body} = await list();
		t.deepEqual(body.data.report_view.rows, expected);
		t.regex(headers.get('x-query-id')!, /^[\da-f-]{36}$/);
	}
	t.is((await visit('sooner, sooner')).status, 200);
	t.is((await visit('sooner, sooner')).status, 200);
	t.is((await visit('sooner, sooner')).status, 200);
	t.deepEqual((await list()).body.data.report_view.rows, [['sooner, sooner'], ['ERA'], ['later']]);
	// Where instances may share the stores every list is asked of the table.
	const isShared = process.env.TEST_ENGINES === 'server';
	t.is((await fromMemory()) >= before + 4, !isShared, 'the engine was not asked');
});

test('session durations reach every row of the visit', async t => {
	const {service, path} = t.context;
	const filter = {dimension_name: 'EVENT_TYPE', operator: 'EXACT', expressions: ['$transaction_confirmed']};
	const clause = {operator: 'AND', filters: [filter]};
	const {body} = await service.post(
		path,
		reportBody(['session_duration'], ['avg_session_duration'], {dimension_filter_clauses: clause}),
	);
	t.deepEqual(body.data.report_view.rows, [[90, 90]]);
});

test('what is not known is refused by its place in the request', async t => {
	const {service, path} = t.context;
	const filters = (filter: object) => ({dimension_filter_clauses: {operator: 'AND', filters: [filter]}});
	const metricFilters = (filter: object) => ({metric_filter_clauses: {operator: 'AND', filters: [filter]}});
	const cases: [object, string, string][] = [
		[reportBody(['type', 'colour']), 'dimension_unknown', '/dimensions/1/name'],
		[reportBody(['resource_name']), 'dimension_unknown', '/dimensions/0/name'],
		[reportBody([], ['users', 'happiness']), 'metric_unknown', '/metrics/1/expression'],
		[reportBody(['constructor']), 'dimension_unknown', '/dimensions/0/name'],
		[
			reportBody([], ['users'], filters({dimension_name: 'colour', operator: 'EXACT', expressions: ['x']})),
			'dimension_unknown',
			'/dimension_filter_clauses/filters/0/dimension_name',
		],
		[
			reportBody([], ['users'], filters({dimension_name: 'type', operator: 'REGEX', expressions: ['x']})),
			'operator_unknown',
			'/dimension_filter_clauses/filters/0/operator',
		],
		[
			reportBody([], ['users'], {dimension_filter_clauses: {operator: 'XOR', filters: []}}),
			'operator_unknown',
			'/dimension_filter_clauses/operator',
		],
		[
			reportBody([], ['users'], filters({dimension_name: 'type', operator: 'EXACT', expressions: []})),
			'expressions_missing',
			'/dimension_filter_clauses/filters/0/expressions',
		],
		[
			reportBody(
				[],
				['users'],
				filters({dimension_name: 'type', operator: 'NUMERIC_EQUAL', expressions: ['x']}),
			),
			'field_invalid',
			'/dimension_filter_clauses/filters/0/expressions/0',
		],
		[
			reportBody(
				[],
				['users'],
				metricFilters({metric_name: 'joy', operator: 'EQUAL', comparison_value: '1'}),
			),
			'metric_unknown',
			'/metric_filter_clauses/filters/0/metric_name',
		],
		[
			reportBody(
				[],
				['users'],
				metricFilters({metric_name: 'users', operator: 'LIKE', comparison_value: '1'}),
			),
			'operator_unknown',
			'/metric_filter_clauses/filters/0/operator',
		],
		[
			reportBody(
				[],
				['users'],
				metricFilters({metric_name: 'users', operator: 'EQUAL', comparison_value: '1x'}),
			),
			'field_invalid',
			'/metric_filter_clauses/filters/0/comparison_value',
		],
		[
			reportBody(['type'], ['users'], {order_by: {field_name: 'brand'}}),
			'field_invalid',
			'/order_by/field_name',
		],
		[reportBody(['type'], [], {sample_factor: 0.1}), 'field_invalid', '/sample_factor'],
		[
			reportBody([], ['users'], {date_ranges: [{start_date: 'last week', end_date: 'now'}]}),
			'field_invalid',
			'/date_ranges/0/start_date',
		],
		[
			reportBody([], ['users'], {date_ranges: [{start_date: '2026-03-02', end_date: '2026-03-01'}]}),
			'date_range_inverted',
			'/date_ranges/0/end_date',
		],
		[reportBody([], ['users'], {dimensions: undefined}), 'field_invalid', '/dimensions'],
		[reportBody([], ['users'], {metrics: null}), 'field_invalid', '/metrics'],
		[reportBody([], ['users'], {date_ranges: undefined}), 'field_invalid', '/date_ranges'],
	];
	for (const [request, code, pointer] of cases) {
		const {status, body} = await service.post(path, request);
		t.is(status, 400, JSON.stringify(body));
		t.is(body.error_code, code, JSON.stringify(body));
		t.deepEqual(
			body.errors.map((fault: {pointer: string}) => fault.pointer),
			[pointer],
		);
	}
});

test('without a token 401, of another’s datamart 404', async t => {
	const {service, path} = t.context;
	t.is((await clientOf(service.url).post(path, reportBody([], ['users']))).status, 401);
	t.is((await clientOf(service.url).get(`${path}/dimensions`)).status, 401);
	const strange = '/v1/datamarts/987654/user_activities_analytics';
	t.is((await service.post(strange, reportBody([], ['users']))).status, 404);
	t.is((await service.get(`${strange}/dimensions`)).status, 404);
});

test('the dimensions of a funnel’s form', async t => {
	const {service, path} = t.context;
	const {status, body} = await service.get(`${path}/dimensions?is_available_for_funnel=true`);
	t.is(status, 200);
	const {dimensions} = body.data as {dimensions: {value: string; label: string}[]};
	t.deepEqual(
		dimensions.filter(each => /^(TYPE|CHANNEL_ID|ORIGIN_SUB_CAMPAIGN_ID|SEGMENT_ID)$/.test(each.value)),
		[
			{value: 'TYPE', label: 'Activity Type'},
			{value: 'CHANNEL_ID', label: 'Channel Id'},
			{value: 'ORIGIN_SUB_CAMPAIGN_ID', label: 'Ad Group Id'},
			{value: 'SEGMENT_ID', label: 'Is in segment'},
		],
	);
	t.is(dimensions.length, 24);
	t.false(dimensions.some(({value}) => value.startsWith('DATE_')));

	const all = (await service.get(`${path}/dimensions`)).body.data.dimensions as {value: string}[];
	const others = (await service.get(`${path}/dimensions?is_available_for_funnel=false`)).body.data.dimensions;
	t.is(all.length, dimensions.length + others.length);
	t.true(all.some(({value}) => value === 'SESSION_DURATION'));
	t.is((await service.get(`${path}/dimensions?is_available_for_funnel=perhaps`)).status, 400);
});

test('every dimension and metric of the catalogue answers, alone and as a filter', async t => {
	const {service, path} = t.context;
	const {dimensions} = (await service.get(`${path}/dimensions`)).body.data as {dimensions: {value: string}[]};
	for (const {value} of dimensions) {
		for (const metrics of [[], ['users', 'avg_session_duration']]) {
			const filter = {dimension_name: value, operator: 'LIKE', expressions: ['']};
			const {status, body} = await service.post(
				path,
				reportBody([value], metrics, {dimension_filter_clauses: {operator: 'AND', filters: [filter]}}),
			);
			t.is(status, 200, `${value}: ${JSON.stringify(body)}`);
			t.deepEqual(body.data.report_view.columns_headers, [value.toLowerCase(), ...metrics]);
			t.true(
				body.data.report_view.rows.every(([cell]: unknown[]) => cell !== null && cell !== ''),
				`${value}: '' is contained in every value and in none that is not there`,
			);
		}
	}
});
