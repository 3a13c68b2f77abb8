import test from 'ava';
import {variablesOf} from '../../../src/audience/audience-features/audience-features.ts';
import {importValues} from '../../bulk/support/final-values.ts';
import {startTestService, type TestService} from '../../support/service.ts';

let service: TestService;
test.before(async () => {
	service = await startTestService();
});
test.after.always(async () => {
	await service?.stop();
});

async function newDatamart(): Promise<string> {
	const body = {name: `features ${Math.random()}`, organisation_id: service.organisationId};
	return (await service.post('/v1/datamarts', body)).body.data.id;
}

test('places for values are found in an expression, with the way to their field', t => {
	t.deepEqual(
		variablesOf('profiles { country == $country and activity {page {page_name in $names}} } and age > 5').map(
			({parameterName, path}) => [parameterName, path.join('.')],
		),
		[
			['country', 'profiles.country'],
			['names', 'profiles.activity.page.page_name'],
		],
	);
	t.deepEqual(variablesOf('profiles { country == "$not \\" {" }'), []);
});

test('a feature is created, read, replaced, listed by its name and folder, and removed', async t => {
	const datamart = await newDatamart();
	const path = `/v1/datamarts/${datamart}/audience_features`;
	const folders = await service.post(`/v1/datamarts/${datamart}/audience_feature_folders`, {name: 'Places'});
	const folderId = folders.body.data.id;
	const made = await service.post(path, {
		name: 'Lives in',
		description: 'The country of a profile',
		addressable_object: 'UserPoint',
		object_tree_expression: 'profiles {country == $country}',
		folder_id: folderId,
	});
	t.like(made.body.data, {
		name: 'Lives in',
		datamart_id: datamart,
		folder_id: folderId,
		variables: [
			{field_name: 'country', parameter_name: 'country', path: ['profiles', 'country'], type: 'String'},
		],
	});
	const {id, token} = made.body.data;
	t.deepEqual((await service.get(`${path}/${id}`)).body.data, made.body.data);
	const replaced = await service.request('PUT', `${path}/${id}`, {
		name: 'City',
		variables: [{field_name: 'city', parameter_name: 'c', path: ['profiles', 'city'], type: 'String'}],
	});
	t.like(replaced.body.data, {id, token, name: 'City', folder_id: null});
	t.is((await service.get(`${path}?keywords=cit`)).body.total, 1);
	t.is((await service.get(`${path}?folder_id=${folderId}`)).body.total, 0);
	const absent = 'keywords=null&folder_id=null&first_result=null&max_results=null';
	t.like((await service.get(`${path}?${absent}`)).body, {total: 1, max_results: 50}, 'null means absent');
	const twin = await service.post(path, {name: 'Twin', token});
	t.deepEqual([twin.status, twin.body.errors[0].pointer], [400, '/token']);
	t.is((await service.request('DELETE', `${path}/${id}`)).body.status, 'ok');
	t.is((await service.get(`${path}/${id}`)).body.error, 'Resource Not Found');
});

test('features are found by the final values their fields have, and tell them', async t => {
	const datamart = await newDatamart();
	const path = `/v1/datamarts/${datamart}/audience_features`;
	for (const [name, expression] of [
		['Country', 'profiles {country == $country}'],
		['Page', 'activity_events {page {page_name == $name}}'],
		['City', 'profiles {city == $city}'],
	]) {
		await service.post(path, {name, object_tree_expression: expression});
	}
	const before = await service.get(`${path}/search?values=france`);
	t.is(before.body.data.data.total_results, 0);
	await importValues(
		service,
		datamart,
		'level1,level2,level3,final_value\nprofiles,country,,France\nprofiles,country,,spain\nactivity_events,page,page_name,france\n',
	);
	const found = (await service.get(`${path}/search?values=france`)).body.data;
	t.deepEqual(
		found.data.elements.map(({name, variables}: {name: string; variables: {values: string[]}[]}) => [
			name,
			variables[0]!.values,
		]),
		[
			['Country', ['France']],
			['Page', ['france']],
		],
	);
	t.like(found.data, {limit: 50, offset: 0, total_results: 2});
	t.deepEqual(found.infos, []);
	const named = (await service.get(`${path}/search?values=france,spain&keywords=count&max_results=1`)).body
		.data;
	t.deepEqual(named.data.elements[0].variables[0].values, ['France', 'spain']);
	const all = (await service.get(`${path}/search?first_result=1`)).body.data;
	t.like(all.data, {offset: 1, total_results: 3});
});

test('as many values as are looked at are told of', async t => {
	const datamart = await newDatamart();
	const rows = Array.from({length: 600}, (_, index) => `profiles,country,v${index}\n`).join('');
	await importValues(service, datamart, `level1,level2,final_value\n${rows}`);
	const values = Array.from({length: 600}, (_, index) => `v${index}`).join(',');
	const {body} = await service.get(`/v1/datamarts/${datamart}/audience_features/search?values=${values}`);
	t.deepEqual(body.data.infos, [{info_name: 'maxFinalValueReach', info_value: 'true'}]);
});
