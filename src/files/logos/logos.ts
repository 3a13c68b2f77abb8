import {invalidField} from '../../errors.ts';
import type {DataFilePlace} from '../data-files/data-files.ts';
import type {FileKind} from '../data-files/file-kinds.ts';

const PATH = 'organisation/logo.png';
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** A logo is a data file like others, at a place of its own. */
export function placeOfLogo(organisationId: number): DataFilePlace {
	return {organisationId, path: PATH};
}

/** By whichever call it comes: clients show it as a PNG without looking. */
export const logoFiles: FileKind = {
	maxBytes: 1024 * 1024,
	claims: ({path}) => path === PATH,
	check(bytes) {
		if (!bytes.subarray(0, PNG.length).equals(PNG)) throw invalidField('/file', 'must be a PNG image');
	},
};
