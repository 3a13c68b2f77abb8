import {DomainError} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {selectPage} from '../../postgres/page.ts';

/** Named by both: another version's is none. */
export interface ConfigurationFileKey {
	readonly pluginVersionId: number;
	readonly technicalName: string;
}

export interface ConfigurationFileStore {
	/** In place of what was there. Error: `configuration_files_excessive` for a new name beyond `most`. */
	put(key: ConfigurationFileKey, content: Buffer, most: number): Promise<void>;
	find(key: ConfigurationFileKey): Promise<Buffer | undefined>;
	/** Names, in alphabetical order. */
	list(query: {readonly pluginVersionId: number}, paging: Paging): Promise<Page<string>>;
}

export function configurationFileStore(database: Database): ConfigurationFileStore {
	return {
		async put({pluginVersionId, technicalName}, content, most) {
			await database.transaction(async tx => {
				// Two who write at once take turns: the bound holds.
				await tx('plugin_versions').select('id').where('id', pluginVersionId).forUpdate();
				const now = Date.now();
				const changed = await tx('configuration_files')
					.where({plugin_version_id: pluginVersionId, technical_name: technicalName})
					.update({content, last_modified_ts: now});
				if (changed > 0) return;
				const [counted] = await tx('configuration_files')
					.where('plugin_version_id', pluginVersionId)
					.count({count: '*'});
				if (Number(counted?.count) >= most) {
					const message = `A plugin version has at most ${most} configuration files`;
					throw new DomainError('configuration_files_excessive', message);
				}
				await tx('configuration_files').insert({
					plugin_version_id: pluginVersionId,
					technical_name: technicalName,
					content,
					creation_ts: now,
					last_modified_ts: now,
				});
			});
		},
		async find({pluginVersionId, technicalName}) {
			const row: {content: Buffer} | undefined = await database.run(sql =>
				sql('configuration_files')
					.select('content')
					.where({plugin_version_id: pluginVersionId, technical_name: technicalName})
					.first(),
			);
			return row?.content;
		},
		list: ({pluginVersionId}, paging) =>
			database.run(sql => {
				const query = sql('configuration_files')
					.select('technical_name')
					.where('plugin_version_id', pluginVersionId);
				return selectPage(
					query,
					'technical_name',
					paging,
					(row: {technical_name: string}) => row.technical_name,
				);
			}),
	};
}
