import {invalidField, notFound} from '../../errors.ts';
import type {Action} from '../../identity/policy.ts';
import type {Principal} from '../../identity/principal.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {CatalogueContext} from '../catalogue/plugins.ts';
import {getVersion, type VersionPath} from '../versions/versions.ts';
import type {ConfigurationFileKey, ConfigurationFileStore} from './configuration-files.store.ts';

/** Of one version. */
const MAX_FILES = 100;
const TECHNICAL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export interface ConfigurationFileServices {
	readonly files: ConfigurationFileStore;
}

type Context = CatalogueContext & ConfigurationFileServices;

/** Names of a version's files. Errors as of `getVersion`. */
export async function listConfigurationFiles(
	context: Context,
	path: VersionPath,
	paging: Paging,
): Promise<Page<string>> {
	const version = await getVersion(context, 'plugins:read', path);
	return context.files.list({pluginVersionId: version.id}, paging);
}

/** The file a path names; whose it is as well. Errors as of `getVersion`, `field_invalid` for a name that cannot be. */
export async function configurationFileOf(
	context: Context,
	action: Action,
	path: VersionPath,
): Promise<ConfigurationFileKey & {readonly organisationId: number}> {
	const version = await getVersion(context, action, path);
	return {...keyOf(version.id, path), organisationId: version.organisationId};
}

/** The file of this name of the version that the plugin worker serves. */
export function ownConfigurationFile(principal: Principal, path: VersionPath): ConfigurationFileKey {
	if (principal.kind !== 'worker') throw notFound('configuration_file_not_found');
	return keyOf(principal.pluginVersionId, path);
}

/** Error: `configuration_file_not_found`. */
export async function readConfigurationFile(
	{files}: ConfigurationFileServices,
	key: ConfigurationFileKey,
): Promise<Buffer> {
	const content = await files.find(key);
	if (!content) throw notFound('configuration_file_not_found');
	return content;
}

/** In place of what was there; readable at once. Error: `configuration_files_excessive`. */
export async function writeConfigurationFile(
	{files}: ConfigurationFileServices,
	key: ConfigurationFileKey,
	content: Buffer,
): Promise<void> {
	await files.put(key, content, MAX_FILES);
}

function keyOf(pluginVersionId: number, {technicalName = ''}: VersionPath): ConfigurationFileKey {
	if (!TECHNICAL_NAME.test(technicalName)) {
		throw invalidField('technical_name', 'must be 1 to 128 letters, digits, dots, dashes or underscores');
	}
	return {pluginVersionId, technicalName};
}
