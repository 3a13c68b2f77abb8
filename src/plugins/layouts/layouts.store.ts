import type {Database} from '../../postgres/database.ts';

/** Files of versions' layouts, as their developers sent them. */
export interface LayoutStore {
	find(versionId: number): Promise<Buffer | undefined>;
	put(versionId: number, content: Buffer): Promise<void>;
	findTranslation(versionId: number, locale: string): Promise<Buffer | undefined>;
	putTranslation(versionId: number, locale: string, content: Buffer): Promise<void>;
	/** Whether there is a layout, and the locales in order. */
	listing(versionId: number): Promise<{readonly hasLayout: boolean; readonly locales: readonly string[]}>;
}

export function layoutStore(database: Database): LayoutStore {
	const first = async (table: string, where: object): Promise<Buffer | undefined> => {
		const row: {content: Buffer} | undefined = await database.run(sql =>
			sql(table).where(where).first('content'),
		);
		return row?.content;
	};
	const put = (table: string, key: Readonly<Record<string, unknown>>, content: Buffer): Promise<void> =>
		database.run(async sql => {
			await sql(table)
				.insert({...key, content, last_modified_ts: Date.now()})
				.onConflict(Object.keys(key))
				.merge();
		});
	const LAYOUTS = 'plugin_layouts';
	const TRANSLATIONS = 'plugin_layout_translations';
	return {
		find: versionId => first(LAYOUTS, {plugin_version_id: versionId}),
		put: (versionId, content) => put(LAYOUTS, {plugin_version_id: versionId}, content),
		findTranslation: (versionId, locale) => first(TRANSLATIONS, {plugin_version_id: versionId, locale}),
		putTranslation: (versionId, locale, content) =>
			put(TRANSLATIONS, {plugin_version_id: versionId, locale}, content),
		listing: versionId =>
			database.run(async sql => {
				const where = {plugin_version_id: versionId};
				const layout = await sql(LAYOUTS).where(where).first('plugin_version_id');
				const rows: {locale: string}[] = await sql(TRANSLATIONS)
					.where(where)
					.orderBy('locale')
					.select('locale');
				return {hasLayout: layout !== undefined, locales: rows.map(({locale}) => locale)};
			}),
	};
}
