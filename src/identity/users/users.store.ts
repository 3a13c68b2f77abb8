import type {Knex} from 'knex';
import {invalidField} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {violatedConstraint} from '../../postgres/errors.ts';
import {containing, selectPage} from '../../postgres/page.ts';
import {keepingAdministrators} from './administrators.store.ts';
import type {User} from './users.ts';

export type NewUser = Omit<User, 'id' | 'lastPasswordUpdateTs' | 'createdTs'> & {
	readonly passwordHash: string;
};

/** Absent fields stay as they are. */
export type UserChange = Partial<Pick<User, 'email' | 'firstName' | 'lastName' | 'locale'>> & {
	readonly passwordHash?: string;
};

export interface UserQuery {
	readonly organisationIds: readonly number[];
	/** In the address. */
	readonly keywords?: string | undefined;
}

export interface UserStore {
	/** Throws `field_invalid` naming `/email` when somebody has it, in whatever case. */
	create(user: NewUser): Promise<User>;
	find(id: number): Promise<User | undefined>;
	/** What a login needs, by address in any case. */
	findLogin(email: string): Promise<{readonly userId: number; readonly passwordHash: string} | undefined>;
	list(query: UserQuery, paging: Paging): Promise<Page<User>>;
	/** Of a whole community, in order of id. */
	listOfCommunity(communityId: number, paging: Paging): Promise<Page<User>>;
	/** A new password ends every login of the user. Throws as `create`; undefined when there is no such user. */
	update(id: number, change: UserChange): Promise<User | undefined>;
	/** With roles and credentials. Throws `administrator_last`; false when there is no such user. */
	remove(id: number): Promise<boolean>;
}

interface Row {
	id: number;
	community_id: number;
	organisation_id: number;
	email: string;
	first_name: string;
	last_name: string;
	locale: string | null;
	last_password_update_ts: number;
	created_ts: number;
}

/** Never the password's hash. */
const COLUMNS = [
	'id',
	'community_id',
	'organisation_id',
	'email',
	'first_name',
	'last_name',
	'locale',
	'last_password_update_ts',
	'created_ts',
] as const satisfies readonly (keyof Row)[];

function fromRow(row: Row): User {
	return {
		id: row.id,
		communityId: row.community_id,
		organisationId: row.organisation_id,
		email: row.email,
		firstName: row.first_name,
		lastName: row.last_name,
		locale: row.locale,
		lastPasswordUpdateTs: row.last_password_update_ts,
		createdTs: row.created_ts,
	};
}

export async function insertUser(sql: Knex, values: NewUser): Promise<User> {
	const now = Date.now();
	const rows: Row[] = await sql('users')
		.insert({
			community_id: values.communityId,
			organisation_id: values.organisationId,
			email: values.email,
			first_name: values.firstName,
			last_name: values.lastName,
			locale: values.locale,
			password_hash: values.passwordHash,
			last_password_update_ts: now,
			created_ts: now,
		})
		.returning([...COLUMNS]);
	return fromRow(rows[0]!);
}

async function updateUser(tx: Knex, id: number, change: UserChange): Promise<User | undefined> {
	const {passwordHash} = change;
	const values = {
		...(change.email !== undefined && {email: change.email}),
		...(change.firstName !== undefined && {first_name: change.firstName}),
		...(change.lastName !== undefined && {last_name: change.lastName}),
		...(change.locale !== undefined && {locale: change.locale}),
		...(passwordHash !== undefined && {password_hash: passwordHash, last_password_update_ts: Date.now()}),
	};
	if (Object.keys(values).length > 0) await tx('users').where({id}).update(values);
	if (passwordHash !== undefined) {
		// Access tokens made with a refresh token go with it, the others by themselves.
		await tx('refresh_tokens').where('user_id', id).delete();
		await tx('access_tokens').where('user_id', id).delete();
	}
	const row: Row | undefined = await tx('users')
		.select([...COLUMNS])
		.where({id})
		.first();
	return row && fromRow(row);
}

/** A taken address is the sender's fault. */
async function namingEmail<T>(work: Promise<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		if (violatedConstraint(error) !== 'users_email') throw error;
		throw invalidField('/email', 'is the address of another user');
	}
}

export function userStore(database: Database): UserStore {
	return {
		create: user => namingEmail(database.run(sql => insertUser(sql, user))),
		update: (id, change) => namingEmail(database.transaction(tx => updateUser(tx, id, change))),
		remove: id =>
			database.transaction(async tx => {
				const user = await tx('users').where({id}).first('community_id');
				if (!user) return false;
				await keepingAdministrators(tx, user.community_id, () => tx('users').where({id}).delete());
				return true;
			}),
		listOfCommunity: (communityId, paging) =>
			database.run(sql =>
				selectPage(
					sql('users')
						.select([...COLUMNS])
						.where('community_id', communityId),
					'id',
					paging,
					fromRow,
				),
			),
		async find(id) {
			const row: Row | undefined = await database.run(sql =>
				sql('users')
					.select([...COLUMNS])
					.where({id})
					.first(),
			);
			return row && fromRow(row);
		},
		async findLogin(email) {
			const row: {id: number; password_hash: string} | undefined = await database.run(sql =>
				sql('users').select('id', 'password_hash').whereRaw('lower(email) = lower(?)', [email]).first(),
			);
			return row && {userId: row.id, passwordHash: row.password_hash};
		},
		list: ({organisationIds, keywords}, paging) =>
			database.run(sql => {
				const query = sql('users')
					.select([...COLUMNS])
					.whereRaw('organisation_id = any(?::bigint[])', [[...organisationIds]]);
				containing(query, 'email', keywords);
				return selectPage(query, 'id', paging, fromRow);
			}),
	};
}
