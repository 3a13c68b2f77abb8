import type {Knex} from 'knex';
import {invalidField} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {violatedConstraint} from '../../postgres/errors.ts';
import {containing, selectPage} from '../../postgres/page.ts';
import type {User} from './users.ts';

export type NewUser = Omit<User, 'id' | 'lastPasswordUpdateTs' | 'createdTs'> & {
	readonly passwordHash: string;
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

export function userStore(database: Database): UserStore {
	return {
		async create(user) {
			try {
				return await database.run(sql => insertUser(sql, user));
			} catch (error) {
				if (violatedConstraint(error) !== 'users_email') throw error;
				throw invalidField('/email', 'is the address of another user');
			}
		},
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
