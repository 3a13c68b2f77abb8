import {invalidField} from '../../errors.ts';
import {parseId} from '../../lib/ids.ts';

/** Where a data file is: an organisation's folder, and the path below it. */
export interface DataFilePlace {
	readonly organisationId: number;
	readonly path: string;
}

const MAX_PATH = 1_024;
const URI = /^([a-z][a-z0-9+.-]*):\/\/data_file\/tenants\/([^/]+)\/(.+)$/i;

/** `svc://data_file/tenants/<organisation>/<path>`: the one spelling that is given out. */
export function dataFileUri({organisationId, path}: DataFilePlace): string {
	return `svc://data_file/tenants/${organisationId}/${path}`;
}

/** Reads such a URI, its scheme `svc` or one of the brand's. Errors: `field_invalid`, naming `pointer`. */
export function parseDataFileUri(uri: string, brands: readonly string[], pointer = '?uri'): DataFilePlace {
	const [, scheme = '', tenant = '', path = ''] = URI.exec(uri) ?? [];
	const organisationId = parseId(tenant);
	const known = ['svc', ...brands].some(brand => brand.toLowerCase() === scheme.toLowerCase());
	if (!known || organisationId === undefined) {
		throw invalidField(pointer, 'must be svc://data_file/tenants/<organisation id>/<path>');
	}
	assertPath(path, pointer);
	return {organisationId, path};
}

function assertPath(path: string, pointer: string): void {
	if (path.length > MAX_PATH)
		throw invalidField(pointer, `must have a path of at most ${MAX_PATH} characters`);
	// Paths are keys in a table, never names on a disk: these are refused because they mean something elsewhere.
	if (path.split('/').some(part => part === '' || part === '.' || part === '..')) {
		throw invalidField(pointer, 'must have no empty, . or .. part in its path');
	}
	if (/[\p{Cc}\\]/u.test(path)) {
		throw invalidField(pointer, 'must have no control characters or backslashes in its path');
	}
}
