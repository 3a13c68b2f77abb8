import type {Knex} from 'knex';
import {DomainError} from '../../errors.ts';

/**
 * Makes a change and keeps it only if the community still has an administrator, where it had one. Changes of one
 * community take turns: of two that each leave the other as the last, one is refused.
 */
export async function keepingAdministrators<T>(
	tx: Knex,
	communityId: number,
	change: () => PromiseLike<T>,
): Promise<T> {
	await tx('communities').where('id', communityId).forUpdate().first('id');
	const before = await countAdministrators(tx, communityId);
	const result = await change();
	if (before > 0 && (await countAdministrators(tx, communityId)) === 0) {
		throw new DomainError('administrator_last', 'The last administrator of a community stays');
	}
	return result;
}

async function countAdministrators(tx: Knex, communityId: number): Promise<number> {
	const [row] = await tx('user_roles')
		.join('organisations', 'organisations.id', 'user_roles.organisation_id')
		.where('organisations.community_id', communityId)
		.whereIn('user_roles.role', ['COMMUNITY_ADMIN', 'CUSTOMER_ADMIN'])
		.countDistinct({total: 'user_roles.user_id'});
	return Number(row?.total ?? 0);
}
