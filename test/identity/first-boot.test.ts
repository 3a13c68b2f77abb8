import test from 'ava';
import {firstBoot} from '../../src/identity/first-boot.ts';
import {verifyPassword} from '../../src/identity/passwords.ts';
import type {Database} from '../../src/postgres/database.ts';
import {startTestPostgres} from '../support/postgres.ts';
import {testTenants} from '../support/tenants.ts';

const TABLES = [
	'communities',
	'organisations',
	'datamarts',
	'compartments',
	'channels',
	'users',
	'user_roles',
];

async function counts(database: Database): Promise<Record<string, number>> {
	const rows: [string, number][] = [];
	for (const table of TABLES) {
		const [row] = await database.run(sql => sql(table).count({n: '*'}));
		rows.push([table, Number(row?.n)]);
	}
	return Object.fromEntries(rows);
}

test.serial('first boot makes one of each and a channel of each type, once', async t => {
	const {database} = await startTestPostgres(t);
	const boot = await firstBoot(database);

	t.like(boot, {created: true, adminEmail: 'admin@localhost'});
	t.true((boot.generatedPassword?.length ?? 0) >= 20);
	const one = {
		communities: 1,
		organisations: 1,
		datamarts: 1,
		compartments: 1,
		channels: 2,
		users: 1,
		user_roles: 1,
	};
	t.deepEqual(await counts(database), one);
	const {directory, users} = await testTenants(database);
	const [organisation] = directory.organisations();
	const [datamart] = directory.datamartsOf(organisation!.id);
	t.is(datamart?.timeZone, 'UTC');
	t.truthy(directory.defaultCompartment(datamart!.id));
	t.deepEqual(
		directory.channelsOf(datamart!.id).map(({type}) => type),
		['SITE', 'MOBILE_APPLICATION'],
	);
	const login = await users.findLogin('admin@localhost');
	t.true(await verifyPassword(login?.passwordHash, boot.generatedPassword!));

	t.deepEqual(await firstBoot(database, {adminPassword: 'other'}), {created: false});
	t.deepEqual(await counts(database), one);
	t.deepEqual(await users.findLogin('admin@localhost'), login, 'the password stays');
});

test.serial(
	'of instances that boot together one makes the tenant, with the address and password it was given',
	async t => {
		const postgres = await startTestPostgres(t);
		const other = await postgres.connectAgain();
		const options = {adminEmail: 'Root@Example.org', adminPassword: 'given'};

		const boots = await Promise.all([
			firstBoot(postgres.database, options),
			firstBoot(other, options),
			firstBoot(other, options),
		]);

		t.deepEqual(
			boots.filter(({created}) => created),
			[{created: true, adminEmail: 'Root@Example.org'}],
		);
		t.is((await counts(other)).communities, 1);
		const {users} = await testTenants(other);
		t.true(await verifyPassword((await users.findLogin('root@example.org'))?.passwordHash, 'given'));
	},
);
