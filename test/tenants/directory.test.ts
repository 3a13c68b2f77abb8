import {randomUUID} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import anyTest, {type TestFn} from 'ava';
import {RevisionWatcher} from '../../src/postgres/revisions.ts';
import {Directory, type TenantRecords, tenantView} from '../../src/tenants/directory.ts';
import {loadTenants, tenantStores} from '../../src/tenants/tenants.store.ts';
import type {Organisation} from '../../src/tenants/tenants.ts';
import {startSharedPostgres, type TestPostgres} from '../support/postgres.ts';
import {testTenants} from '../support/tenants.ts';

const test = anyTest as TestFn<TestPostgres>;

test.before(async t => {
	t.context = await startSharedPostgres();
});
test.after.always(async t => t.context.stop?.());

const NOTHING: TenantRecords = {organisations: [], datamarts: [], compartments: [], channels: []};

function organisation(id: number, administratorId: number | null): Organisation {
	return {
		id,
		administratorId,
		communityId: 1,
		marketId: null,
		name: `organisation ${id}`,
		technicalName: null,
		customerType: 'ENTERPRISE',
		archived: false,
		createdBy: null,
		createdTs: 0,
		lastModifiedBy: null,
		lastModifiedTs: 0,
	};
}

test.serial('what another instance writes is known here within a second', async t => {
	const postgres = t.context;
	const here = await testTenants(postgres.database);
	const there = tenantStores(await postgres.connectAgain());
	const datamart = await here.datamart(await here.organisation(await here.community()));
	const watcher = await RevisionWatcher.start(postgres.database);
	t.teardown(() => watcher.close());
	await here.directory.refresh();
	watcher.on('directory', () => here.directory.refresh());

	const token = randomUUID();
	const channel = await there.channels.create({
		datamartId: datamart.id,
		type: 'SITE',
		name: 'shop.example',
		token,
		domain: null,
		enableAnalytics: false,
		enableInstallationIdAggregation: false,
	});
	const writtenAt = performance.now();
	while (!here.directory.channelByToken(token) && performance.now() - writtenAt < 5_000) await sleep(10);

	t.true(performance.now() - writtenAt < 1_000);
	t.deepEqual(here.directory.channelByToken(token), channel);
	t.deepEqual(here.directory.channelsOf(datamart.id), [channel]);
	t.is(here.directory.channel(channel.id)?.organisationId, datamart.organisationId);
});

test.serial('a compartment is found by its id as text, in its own datamart only', async t => {
	const tenants = await testTenants(t.context.database);
	const above = await tenants.organisation(await tenants.community());
	const [datamart, other] = [await tenants.datamart(above), await tenants.datamart(above)];
	await tenants.directory.refresh();
	const {directory} = tenants;

	const byDefault = directory.defaultCompartment(datamart.id);
	t.is(byDefault?.datamartId, datamart.id);
	t.deepEqual(directory.compartment(datamart.id, String(byDefault?.id)), byDefault);
	t.is(directory.compartment(other.id, String(byDefault?.id)), undefined);
	t.is(directory.compartment(datamart.id, ''), undefined);
	t.deepEqual(directory.datamart(datamart.id), datamart);
	t.deepEqual(
		directory.datamartsOf(above.id).map(({id}) => id),
		[datamart.id, other.id],
	);
});

test('an organisation is within itself and those above it, and a circle does not hang the answer', t => {
	const organisations = [
		organisation(1, null),
		organisation(2, 1),
		organisation(3, 2),
		organisation(4, null),
	];
	const view = tenantView({...NOTHING, organisations});
	t.true(view.isWithin(3, 1));
	t.true(view.isWithin(2, 2));
	t.false(view.isWithin(1, 3));
	t.false(view.isWithin(4, 1));
	t.false(view.isWithin(99, 99), 'an unknown organisation is within nothing');

	const circle = tenantView({...NOTHING, organisations: [organisation(1, 2), organisation(2, 1)]});
	t.false(circle.isWithin(1, 3));
});

test('the last picture stays when the next one cannot be loaded, and a later load replaces it', async t => {
	let load = async (): Promise<TenantRecords> => ({...NOTHING, organisations: [organisation(1, null)]});
	const directory = await Directory.open(() => load());

	load = () => Promise.reject(new Error('away'));
	await t.throwsAsync(directory.refresh(), {message: 'away'});
	t.is(directory.organisation(1)?.id, 1);

	load = async () => ({...NOTHING, organisations: [organisation(2, null)]});
	await directory.refresh();
	t.is(directory.organisation(1), undefined);
	t.is(directory.organisation(2)?.id, 2);
});

test('a refresh asked for during a load sees what was written before it was asked for', async t => {
	let written = 1;
	let loads = 0;
	const directory = await Directory.open(async () => {
		loads++;
		const seen = written;
		await sleep(20);
		return {...NOTHING, organisations: [organisation(seen, null)]};
	});

	const first = directory.refresh();
	await sleep(5);
	written = 2;
	await Promise.all([directory.refresh(), directory.refresh(), first]);

	t.is(directory.organisation(2)?.id, 2);
	t.is(loads, 3, 'those who wait share one load');
});

test.serial('a handler that fails is called again at the next turn', async t => {
	const tenants = await testTenants(t.context.database);
	const watcher = await RevisionWatcher.start(t.context.database, {intervalMs: 3_600_000});
	t.teardown(() => watcher.close());
	let calls = 0;
	watcher.on('directory', async () => {
		calls++;
		if (calls === 1) throw new Error('not now');
	});
	await watcher.poll();
	t.is(calls, 0);
	await tenants.organisation(await tenants.community());

	await watcher.poll();
	await watcher.poll();
	await watcher.poll();

	t.is(calls, 2);
});

test.serial('a picture is loaded in one moment: no channel without its datamart', async t => {
	const records = await loadTenants(t.context.database);
	const datamarts = new Set(records.datamarts.map(({id}) => id));
	t.true(records.channels.length > 0);
	t.true(records.channels.every(({datamartId}) => datamarts.has(datamartId)));
	t.true(records.compartments.every(({datamartId}) => datamarts.has(datamartId)));
});
