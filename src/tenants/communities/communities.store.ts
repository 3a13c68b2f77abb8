import type {Knex} from 'knex';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {selectPage} from '../../postgres/page.ts';
import type {Community} from '../tenants.ts';

export interface CommunityStore {
	create(name: string): Promise<Community>;
	find(id: number): Promise<Community | undefined>;
	list(paging: Paging): Promise<Page<Community>>;
}

export async function insertCommunity(sql: Knex, name: string): Promise<Community> {
	const rows: Community[] = await sql('communities')
		.insert({name, created_ts: Date.now()})
		.returning(['id', 'name']);
	return rows[0]!;
}

export function communityStore(database: Database): CommunityStore {
	return {
		create: name => database.run(sql => insertCommunity(sql, name)),
		find: id => database.run(sql => sql<Community>('communities').select('id', 'name').where({id}).first()),
		list: paging =>
			database.run(sql =>
				selectPage(sql('communities').select('id', 'name'), 'id', paging, (row: Community) => row),
			),
	};
}
