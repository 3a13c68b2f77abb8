import type {Knex} from 'knex';
import {DomainError, notFound} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {violatedReference} from '../../postgres/errors.ts';
import {selectPage} from '../../postgres/page.ts';
import type {ChannelLink} from './channel-links.ts';

export interface NewLink {
	readonly channelId: number;
	readonly analyzerId: number;
	readonly createdBy: number | null;
}

/** Named by both, as in the paths: another channel's is none. */
export interface LinkKey {
	readonly id: number;
	readonly channelId: number;
}

export interface ChannelLinkStore {
	/**
	 * Behind all others, whoever else adds one at the same moment. Errors: `channel_links_excessive` where the channel has
	 * `most` already, `channel_not_found`, `plugin_instance_not_found`.
	 */
	add(link: NewLink, most: number): Promise<ChannelLink>;
	find(key: LinkKey): Promise<ChannelLink | undefined>;
	/** In the order they run. */
	list(query: {readonly channelId: number}, paging: Paging): Promise<Page<ChannelLink>>;
	/** Whether there was one. */
	remove(key: LinkKey): Promise<boolean>;
}

interface Row {
	id: number;
	channel_id: number;
	instance_id: number;
	execution_order: number;
	creation_ts: number;
	created_by: number | null;
}

function fromRow(row: Row): ChannelLink {
	return {
		id: row.id,
		channelId: row.channel_id,
		analyzerId: row.instance_id,
		executionOrder: row.execution_order,
		creationTs: row.creation_ts,
		createdBy: row.created_by,
	};
}

export function channelLinkStore(database: Database): ChannelLinkStore {
	const ofChannel = (sql: Knex, channelId: number) => sql('channel_analyzers').where('channel_id', channelId);
	return {
		async add({channelId, analyzerId, createdBy}, most) {
			try {
				return await database.transaction(async tx => {
					// Two who add at once take turns: the count and the order hold.
					const channel = await tx('channels').select('id').where('id', channelId).forUpdate().first();
					if (!channel) throw notFound('channel_not_found');
					const links: Row[] = await ofChannel(tx, channelId).orderBy('execution_order');
					if (links.length >= most) {
						const message = `A channel has at most ${most} activity analyzers`;
						throw new DomainError('channel_links_excessive', message);
					}
					const rows: Row[] = await tx('channel_analyzers')
						.insert({
							channel_id: channelId,
							instance_id: analyzerId,
							execution_order: (links.at(-1)?.execution_order ?? 0) + 1,
							creation_ts: Date.now(),
							created_by: createdBy,
						})
						.returning('*');
					return fromRow(rows[0]!);
				});
			} catch (error) {
				if (violatedReference(error) !== 'channel_analyzers_instance') throw error;
				throw notFound('plugin_instance_not_found');
			}
		},
		async find({id, channelId}) {
			const row: Row | undefined = await database.run(sql =>
				ofChannel(sql, channelId).where('id', id).first(),
			);
			return row && fromRow(row);
		},
		list: ({channelId}, paging) =>
			database.run(sql =>
				selectPage(ofChannel(sql, channelId).select('*'), 'execution_order', paging, fromRow),
			),
		remove: async ({id, channelId}) =>
			(await database.run(sql => ofChannel(sql, channelId).where('id', id).delete())) > 0,
	};
}
