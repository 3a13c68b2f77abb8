import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import {segmentBuilderRoutes} from '../../../src/audience/segment-builders/segment-builders.route.ts';
import {segmentBuilderStore} from '../../../src/audience/segment-builders/segment-builders.store.ts';
import type {Datamart, Organisation} from '../../../src/tenants/tenants.ts';
import {startSharedPostgres, type TestPostgres} from '../../support/postgres.ts';
import {type Answer, type Call, serveRoutes} from '../../support/routes.ts';
import {principalOf, type TestTenants, testTenants} from '../../support/tenants.ts';

interface Context {
	postgres: TestPostgres;
	tenants: TestTenants;
}
const test = anyTest as TestFn<Context>;

test.before(async t => {
	const postgres = await startSharedPostgres();
	t.context = {postgres, tenants: await testTenants(postgres.database)};
});
test.after.always(async t => t.context.postgres?.stop());

interface World {
	readonly acme: Organisation;
	readonly shop: Datamart;
	readonly other: Datamart;
	readonly call: Call;
	readonly path: string;
}

async function worldOf(t: ExecutionContext<Context>, role: 'EDITOR' | 'READER' = 'EDITOR'): Promise<World> {
	const {postgres, tenants} = t.context;
	const acme = await tenants.organisation(await tenants.community());
	const [shop, other] = [await tenants.datamart(acme), await tenants.datamart(acme)];
	await tenants.directory.refresh();
	const routes = segmentBuilderRoutes({builders: segmentBuilderStore(postgres.database)});
	const call = await serveRoutes(t, routes, {
		directory: tenants.directory,
		verifyToken: async () => principalOf(acme, role),
	});
	return {
		acme,
		shop,
		other,
		path: `/v1/datamarts/${shop.id}/audience_builders`,
		call: (method, path, options) => call(method, path, {token: 'any', ...options}),
	};
}

const refusalOf = ({status, body}: Answer) => [status, body.error_code, body.errors?.[0]?.pointer];

test('a builder is made and read in the union of both shapes, under both names', async t => {
	const {call, path, shop} = await worldOf(t);
	const made = await call('POST', path, {
		body: {datamart_id: String(shop.id), name: ' Mine ', demographics_features_ids: ['12', 7]},
	});
	t.is(made.status, 200);
	const {id, ...rest} = made.body.data;
	t.deepEqual(rest, {
		datamart_id: String(shop.id),
		name: 'Mine',
		parent_id: null,
		children_ids: [],
		audience_features_ids: ['12', '7'],
		demographics_features_ids: ['12', '7'],
		initial_audience_feature_ids: ['12', '7'],
	});
	t.like(made.body, {count: 1, total: 1, first_result: 0, max_results: 50});
	const alias = path.replace('audience_builders', 'standard_segment_builders');
	t.deepEqual((await call('GET', `${alias}/${id}`)).body, {status: 'ok', data: made.body.data});
	t.deepEqual((await call('GET', alias)).body.data, [made.body.data]);
	const second = await call('POST', alias, {body: {name: 'Yours', initial_audience_feature_ids: []}});
	t.deepEqual(second.body.data.demographics_features_ids, []);
	t.is((await call('GET', `${path}?first_result=1&max_results=1`)).body.data[0].name, 'Yours');
	t.is((await call('GET', `${path}?keywords=yOU`)).body.total, 1);
});

test('a change keeps what it does not name, and takes the list that the client knows by either word', async t => {
	const {call, path} = await worldOf(t);
	const {data} = (await call('POST', path, {body: {name: 'Mine', demographics_features_ids: ['1']}})).body;
	const change = async (body: object) => (await call('PUT', `${path}/${data.id}`, {body})).body;
	t.like((await change({name: 'Renamed'})).data, {name: 'Renamed', audience_features_ids: ['1']});
	const old = await change({...data, demographics_features_ids: ['1', '2']});
	t.deepEqual(
		old.data.initial_audience_feature_ids,
		['1', '2'],
		'an old client sends the other list as it was',
	);
	const recent = await change({...old.data, initial_audience_feature_ids: []});
	t.deepEqual(recent.data.demographics_features_ids, []);
	const both = await change({demographics_features_ids: ['1'], initial_audience_feature_ids: ['2']});
	t.deepEqual(both.errors[0].pointer, '/initial_audience_feature_ids');
	t.deepEqual((await call('GET', `${path}/${data.id}`)).body.data.audience_features_ids, []);
});

test('the twenty-first builder is refused in the words clients know, also when thirty are made at once', async t => {
	const {call, path, other} = await worldOf(t);
	const answers = await Promise.all(
		Array.from({length: 30}, (_, i) => call('POST', path, {body: {name: `builder ${i}`}})),
	);
	t.is(answers.filter(({status}) => status === 200).length, 20);
	const refused = answers.find(({status}) => status !== 200)!;
	t.is(refused.status, 400);
	t.is(refused.body.error, 'The limit of 20 authorized audience builders has been reached');
	t.is((await call('GET', path)).body.total, 20);
	const elsewhere = path.replace(/\/\d+\//, `/${other.id}/`);
	t.is(
		(await call('POST', elsewhere, {body: {name: 'first'}})).status,
		200,
		'each datamart has its own twenty',
	);

	const [first] = (await call('GET', path)).body.data;
	t.is((await call('DELETE', `${path}/${first.id}`)).status, 200);
	t.is((await call('POST', path, {body: {name: 'again'}})).status, 200);
});

test('a builder is nowhere but in its datamart, and what was removed is gone', async t => {
	const {call, path, other} = await worldOf(t);
	const {id} = (await call('POST', path, {body: {name: 'Mine'}})).body.data;
	const missing = [404, 'segment_builder_not_found', undefined];
	const elsewhere = path.replace(/\/\d+\//, `/${other.id}/`);
	for (const one of [`${elsewhere}/${id}`, `${path}/987654`, `${path}/x`, `${path}/0`]) {
		t.deepEqual(refusalOf(await call('GET', one)), missing, one);
		t.deepEqual(refusalOf(await call('PUT', one, {body: {name: 'x'}})), missing, one);
		t.deepEqual(refusalOf(await call('DELETE', one)), missing, one);
	}
	t.is((await call('GET', `${path}/${id}`)).body.data.name, 'Mine');
	await call('DELETE', `${path}/${id}`);
	t.is((await call('GET', `${path}/${id}`)).body.error, 'Resource Not Found');
});

test('a faulty field is named and nothing is made', async t => {
	const {call, path, other} = await worldOf(t);
	const table: [object, string][] = [
		[{}, '/name'],
		[{name: '  '}, '/name'],
		[{name: 'x', datamart_id: other.id}, '/datamart_id'],
		[{name: 'x', datamart_id: 'x'}, '/datamart_id'],
		[{name: 'x', demographics_features_ids: '1'}, '/demographics_features_ids'],
		[{name: 'x', initial_audience_feature_ids: ['1', 'two']}, '/initial_audience_feature_ids/1'],
	];
	for (const [body, pointer] of table) {
		t.deepEqual(refusalOf(await call('POST', path, {body})), [400, 'field_invalid', pointer]);
	}
	t.is((await call('GET', path)).body.total, 0);
});

test('a reader sees builders and makes none', async t => {
	const {call, path} = await worldOf(t, 'READER');
	t.is((await call('GET', path)).status, 200);
	t.is((await call('POST', path, {body: {name: 'x'}})).status, 403);
});
