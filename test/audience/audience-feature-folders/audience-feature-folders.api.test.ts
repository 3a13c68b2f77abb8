import anyTest, {type TestFn} from 'ava';
import {startTestService, type TestService} from '../../support/service.ts';
import {testTenants} from '../../support/tenants.ts';

const test = (anyTest as TestFn<{service: TestService}>).serial;

test.before(async t => {
	t.context = {service: await startTestService()};
});
test.after.always(t => t.context.service?.stop());

const foldersOf = ({datamartId}: TestService) => `/v1/datamarts/${datamartId}/audience_feature_folders`;

async function newFolder(service: TestService, name: string, parentId?: string) {
	const {status, body} = await service.post(foldersOf(service), {name, parent_id: parentId});
	if (status !== 200) throw new Error(JSON.stringify(body));
	return body.data;
}

async function newFeature(service: TestService, name: string, folderId: unknown) {
	return service.post(`/v1/datamarts/${service.datamartId}/audience_features`, {name, folder_id: folderId});
}

const read = async (service: TestService, id: string) =>
	(await service.get(`${foldersOf(service)}/${id}`)).body.data;

test('a folder tells what is right in it, and features are found by their folder', async t => {
	const {service} = t.context;
	const top = await newFolder(service, 'Interests');
	t.deepEqual(top, {
		id: top.id,
		name: 'Interests',
		datamart_id: service.datamartId,
		parent_id: null,
		children_ids: [],
		audience_features_ids: [],
	});
	const inner = await newFolder(service, 'Music', top.id);
	const feature = (await newFeature(service, 'likes jazz', Number(inner.id))).body.data;
	t.is(feature.folder_id, inner.id);
	await newFeature(service, 'elsewhere', null);
	t.like(await read(service, top.id), {children_ids: [inner.id], audience_features_ids: []});
	t.like(await read(service, inner.id), {
		parent_id: top.id,
		children_ids: [],
		audience_features_ids: [feature.id],
	});
	const features = `/v1/datamarts/${service.datamartId}/audience_features`;
	t.is((await service.get(`${features}?folder_id=${inner.id}`)).body.total, 1);
	t.is((await service.get(`${features}/search?folder_id=${inner.id}`)).body.data.data.total_results, 1);
	const listed = (await service.get(`${foldersOf(service)}?keywords=mUs`)).body;
	t.like(listed, {total: 1, data: [{id: inner.id, audience_features_ids: [feature.id]}]});
});

test('a folder is renamed and moved; a removed one leaves what it held to the one above', async t => {
	const {service} = t.context;
	const [a, b] = [await newFolder(service, 'a'), await newFolder(service, 'b')];
	const inner = await newFolder(service, 'inner', a.id);
	const innermost = await newFolder(service, 'innermost', inner.id);
	const feature = (await newFeature(service, 'in inner', inner.id)).body.data;
	const path = `${foldersOf(service)}/${inner.id}`;
	t.like((await service.request('PUT', path, {name: 'renamed'})).body.data, {
		name: 'renamed',
		parent_id: a.id,
	});
	t.like((await service.request('PUT', path, {parent_id: Number(b.id)})).body.data, {
		name: 'renamed',
		parent_id: b.id,
		children_ids: [innermost.id],
		audience_features_ids: [feature.id],
	});
	t.deepEqual((await read(service, a.id)).children_ids, []);
	t.deepEqual((await service.request('DELETE', path)).body, {status: 'ok', data: {}});
	t.like(await read(service, b.id), {children_ids: [innermost.id], audience_features_ids: [feature.id]});
	t.like(
		(await service.request('PUT', `${foldersOf(service)}/${innermost.id}`, {parent_id: null})).body.data,
		{
			parent_id: null,
		},
	);
	const gone = await service.request('DELETE', path);
	t.is(gone.status, 404);
	t.is(gone.body.error, 'Resource Not Found');
});

test('no folder stands within itself, and none in a folder that is not there or another datamart’s', async t => {
	const {service} = t.context;
	const tenants = await testTenants(service.database);
	const own = tenants.directory.organisation(Number(service.organisationId))!;
	const other = await tenants.datamart(own);
	const [foreign] = await service.database.run(sql =>
		sql('audience_feature_folders')
			.insert({datamart_id: other.id, name: 'foreign', creation_ts: 1})
			.returning('id'),
	);
	const a = await newFolder(service, 'a');
	const b = await newFolder(service, 'b', a.id);
	for (const parent_id of [a.id, b.id, '987654', String(foreign.id)]) {
		const answer = await service.request('PUT', `${foldersOf(service)}/${a.id}`, {parent_id});
		t.is(answer.status, 400);
		t.is(answer.body.errors[0].pointer, '/parent_id');
	}
	for (const folderId of ['987654', foreign.id]) {
		const answer = await newFeature(service, 'lost', folderId);
		t.is(answer.status, 400);
		t.is(answer.body.errors[0].pointer, '/folder_id');
	}
	t.is((await service.get(`${foldersOf(service)}/${foreign.id}`)).status, 404);
	t.like(await read(service, a.id), {parent_id: null, children_ids: [b.id]});
	for (const body of [{}, {name: ' '}, {name: 'x', parent_id: 'y'}, {name: 'x', datamart_id: '987654'}]) {
		t.is((await service.post(foldersOf(service), body)).status, 400, JSON.stringify(body));
	}
});

test('the hundred and first folder is refused in the words clients know, however many are made at once', async t => {
	const {service} = t.context;
	const {total} = (await service.get(foldersOf(service))).body;
	const answers = await Promise.all(
		Array.from({length: 103 - total}, (_, index) =>
			service.post(foldersOf(service), {name: `one of ${index}`}),
		),
	);
	const refused = answers.filter(({status}) => status !== 200);
	t.is(refused.length, 3);
	for (const {status, body} of refused) {
		t.is(status, 400);
		t.like(body, {error: 'Maximum authorized number of folders reached', error_code: 'folders_excessive'});
	}
	t.is((await service.get(foldersOf(service))).body.total, 100);
});
