import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import type {Datamart, Organisation} from '../../../src/tenants/tenants.ts';
import {testFiles} from '../../support/files.ts';
import {startSharedPostgres, type TestPostgres} from '../../support/postgres.ts';
import {type Answer, type Call, serveRoutes} from '../../support/routes.ts';
import {principalOf, testTenants} from '../../support/tenants.ts';

const test = anyTest as TestFn<{postgres: TestPostgres}>;

test.before(async t => {
	t.context = {postgres: await startSharedPostgres()};
});
test.after.always(async t => t.context.postgres?.stop());

interface World {
	readonly acme: Organisation;
	readonly shop: Datamart;
	readonly foreignShop: Datamart;
	readonly call: Call;
}

async function worldOf(t: ExecutionContext<{postgres: TestPostgres}>): Promise<World> {
	const {database} = t.context.postgres;
	const tenants = await testTenants(database);
	const acme = await tenants.organisation(await tenants.community());
	const foreign = await tenants.organisation(await tenants.community());
	const [shop, foreignShop] = [await tenants.datamart(acme), await tenants.datamart(foreign)];
	await tenants.directory.refresh();
	const {directory} = tenants;
	const {routes} = await testFiles(t, database, directory);
	const call = await serveRoutes(t, routes, {
		directory,
		verifyToken: async () => principalOf(acme, 'EDITOR'),
	});
	return {
		acme,
		shop,
		foreignShop,
		call: (method, path, options) => call(method, path, {token: 'any', ...options}),
	};
}

const layout = {h: 3, w: 4, x: 0, y: 0, static: false};

/** The specification's and the field's parts of a dashboard in one. */
function dashboards(datamartId: number): {[key: string]: unknown; components: object[]}[] {
	return [
		{
			id: '1',
			name: 'My builder',
			type: 'AUDIENCE_BUILDER',
			datamart_id: String(datamartId),
			components: [
				{layout, component: {id: 1, component_type: 'COUNT', title: 'People', query_id: '12'}},
				{
					layout,
					component: {
						id: 2,
						component_type: 'MAP_BAR_CHART',
						title: 'Ages',
						query_id: 13,
						show_legend: false,
						sortKey: 'A-Z',
						percentage: true,
						labels: {enable: true, filterValue: '0', format: '{y}'},
						tooltip: {formatter: '{point.y}'},
						of_the_ui: {kept: true},
					},
				},
				{
					layout,
					component: {
						id: 3,
						component_type: 'COUNT_BAR_CHART',
						title: 'Reach',
						query_ids: ['14', '15'],
						labels_enabled: true,
						plot_labels: ['a', 'b'],
					},
				},
				{layout, component: {id: 4, component_type: 'WORLD_MAP_CHART', title: 'World'}},
			],
		},
	];
}

const fileOf = ({acme, shop}: World, name = 'AUDIENCE_BUILDER-7.json', datamart = shop.id) =>
	`/v1/data_file/data?uri=mics://data_file/tenants/${acme.id}/dashboards/${datamart}/${name}`;
const pointersOf = ({body}: Answer) => body.errors?.map(({pointer}: {pointer: string}) => pointer);

test('a dashboard comes back as it was sent, spaces and unknown keys included', async t => {
	const world = await worldOf(t);
	const {call, shop} = world;
	const text = `${JSON.stringify(dashboards(shop.id), null, 4)}\n`;
	for (const name of ['AUDIENCE_BUILDER-7.json', 'AUDIENCE_BUILDER.json']) {
		t.is((await call('PUT', fileOf(world, name), {body: text})).status, 200);
		t.is((await call('GET', fileOf(world, name))).bytes.toString(), text);
	}
	t.is((await call('PUT', fileOf(world), {body: '\ufeff[]'})).status, 200, 'none at all, with a mark');
});

test('every fault of a dashboard is named by its pointer, and the former one stays', async t => {
	const world = await worldOf(t);
	const {call, shop} = world;
	await call('PUT', fileOf(world), {body: dashboards(shop.id)});
	const [good] = dashboards(shop.id);
	const {name: _, ...nameless} = good!;
	const faulty = [
		good,
		{
			...nameless,
			type: 'HOME',
			components: [
				{layout: {...layout, h: '3'}, component: {id: 1, component_type: 'PIE', title: 'x', query_id: '1'}},
				{layout, component: {id: 2, component_type: 'COUNT', title: 'x'}},
				{layout, component: {id: 3, component_type: 'COUNT_BAR_CHART', title: 'x', query_id: '1'}},
				{component: {id: 4, component_type: 'COUNT', title: 5, query_id: '1'}},
			],
		},
	];
	const refused = await call('PUT', fileOf(world), {body: faulty});
	t.is(refused.status, 400);
	t.deepEqual(pointersOf(refused).sort(), [
		'/1/components/0/component/component_type',
		'/1/components/0/layout/h',
		'/1/components/1/component/query_id',
		'/1/components/2/component/query_ids',
		'/1/components/3/component/title',
		'/1/components/3/layout',
		'/1/name',
		'/1/type',
	]);
	for (const body of ['{"id": 1}', 'null']) {
		t.deepEqual(pointersOf(await call('PUT', fileOf(world), {body})), [''], body);
	}
	for (const body of ['', '[', Buffer.from([0x5b, 0xff, 0x5d])]) {
		t.is((await call('PUT', fileOf(world), {body})).body.error_code, 'json_malformed');
	}
	t.is((await call('GET', fileOf(world))).body[0].name, 'My builder');
});

test('dashboards stand under a datamart of the organisation, and under no other', async t => {
	const world = await worldOf(t);
	const {call, shop, foreignShop} = world;
	const body = dashboards(shop.id);
	for (const datamart of [foreignShop.id, 987_654]) {
		const answer = await call('PUT', fileOf(world, undefined, datamart), {body});
		t.deepEqual([answer.status, answer.body.error], [404, 'Resource Not Found']);
	}
	const other = await call('PUT', fileOf(world, 'notes.txt'), {body: 'not a dashboard'});
	t.is(other.status, 200, 'other files may stand beside them');
});

test('a dashboard of more than a mebibyte is refused', async t => {
	const world = await worldOf(t);
	const body = `[${' '.repeat(1024 * 1024 - 1)}]`;
	t.is((await world.call('PUT', fileOf(world), {body})).body.error_code, 'body_too_large');
});
