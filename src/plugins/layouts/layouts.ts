import {DomainError, type Fault, invalidField, notFound} from '../../errors.ts';
import type {ForeignAssets} from '../../files/assets/assets.ts';
import {parseId} from '../../lib/ids.ts';
import {parseWith} from '../../validation.ts';
import type {VersionStore} from '../versions/versions.store.ts';
import type {PluginVersion} from '../versions/versions.ts';
import {defaultLayout} from './default-layout.ts';
import {Layout, type LayoutQuery} from './layouts.schema.ts';
import type {LayoutStore} from './layouts.store.ts';
import {localeOf, parseTranslations, replaceTokens} from './translations.ts';

export interface LayoutServices {
	readonly layouts: LayoutStore;
	readonly versions: Pick<VersionStore, 'propertiesOf'>;
	readonly foreignAssets: ForeignAssets;
}

/** The file as it was sent, or the layout with its texts in a locale. */
export type FoundLayout = {readonly bytes: Buffer} | {readonly layout: Layout};

/**
 * A version's layout: the file itself, or with `locale` its tokens replaced; `default` puts the default presentation in
 * place of one that is not there. Errors: `plugin_layout_not_found`, `plugin_translation_not_found`.
 */
export async function getLayout(
	{layouts, versions}: LayoutServices,
	version: PluginVersion,
	{locale, default: orDefault}: LayoutQuery,
): Promise<FoundLayout> {
	const bytes = await layouts.find(version.id);
	if (!bytes && orDefault) {
		const layout = defaultLayout(version, await versions.propertiesOf(version.id));
		return locale === undefined ? {bytes: Buffer.from(JSON.stringify(layout))} : {layout};
	}
	if (!bytes) throw notFound('plugin_layout_not_found');
	if (locale === undefined) return {bytes};
	const texts = parseTranslations(await getTranslation({layouts}, version, locale));
	return {layout: replaceTokens(JSON.parse(bytes.toString()), texts) as Layout};
}

/**
 * Stores a layout in place of what was there, as it was sent. Errors: `json_malformed`, `field_invalid` with every fault
 * by its path, `plugin_version_archived`.
 */
export async function putLayout(
	{layouts, foreignAssets}: LayoutServices,
	version: PluginVersion,
	bytes: Buffer,
): Promise<Layout> {
	assertLive(version);
	const {content, value} = parseLayout(bytes);
	const layout = parseWith(Layout, value);
	replaceTokens(value, new Map());
	const ids = assetsIn(layout);
	const foreign = await foreignAssets(version.organisationId, [...ids.values()]);
	const faults: Fault[] = [...ids]
		.filter(([, id]) => foreign.has(id))
		.map(([pointer]) => ({pointer, message: 'is an asset of another organisation'}));
	const [first] = faults;
	if (first) throw new DomainError('field_invalid', `${first.pointer}: ${first.message}`, {faults});
	await layouts.put(version.id, content);
	return layout;
}

/** A layout that is sent as the text of a JSON string is taken for what it holds. */
function parseLayout(bytes: Buffer): {content: Buffer; value: unknown} {
	try {
		const value: unknown = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
		if (typeof value !== 'string') return {content: bytes, value};
		return {content: Buffer.from(value), value: JSON.parse(value)};
	} catch (error) {
		const message = `the layout is not valid JSON: ${(error as Error).message.slice(0, 200)}`;
		throw new DomainError('json_malformed', message);
	}
}

/** Ids by the pointer of the field that names them; a token or a text that is no id names none. */
function assetsIn({metadata}: Layout): ReadonlyMap<string, number> {
	const ids = new Map<string, number>();
	for (const field of ['large_icon_asset_id', 'small_icon_asset_id'] as const) {
		const id = parseId(metadata[field] ?? '');
		if (id !== undefined) ids.set(`/metadata/${field}`, id);
	}
	return ids;
}

/** The file of a locale, as it was sent. Error: `plugin_translation_not_found`. */
export async function getTranslation(
	{layouts}: Pick<LayoutServices, 'layouts'>,
	version: PluginVersion,
	locale: string,
): Promise<Buffer> {
	const known = localeOf(locale);
	const bytes = known && (await layouts.findTranslation(version.id, known));
	if (!bytes) throw notFound('plugin_translation_not_found');
	return bytes;
}

/**
 * Stores the texts of a locale in place of what was there; answers its one spelling. Errors: `field_invalid` naming the
 * locale or every faulty line, `plugin_version_archived`.
 */
export async function putTranslation(
	{layouts}: Pick<LayoutServices, 'layouts'>,
	version: PluginVersion,
	locale: string,
	bytes: Buffer,
): Promise<string> {
	assertLive(version);
	const known = localeOf(locale);
	if (!known) throw invalidField('locale', 'must be a language tag such as en-US');
	parseTranslations(bytes);
	await layouts.putTranslation(version.id, known, bytes);
	return known;
}

/** Error: `plugin_version_archived`. */
export function assertLive({archived}: PluginVersion): void {
	if (archived) throw new DomainError('plugin_version_archived', 'The plugin version is archived');
}
