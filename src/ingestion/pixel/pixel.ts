import {DomainError} from '../../errors.ts';

/** Of the activity's JSON text. Node gives a request's head 16 KiB in all, and URL-encoding can double a text. */
export const MAX_PIXEL_BYTES = 8192;

/** 1x1 pixels, transparent: the smallest image every browser and mail client shows. */
export const TRANSPARENT_GIF = Buffer.from(
	'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
	'base64',
);

/** The activity's JSON text: as it is, or from base64url. Errors: `body_too_large`. */
export function pixelBytes(activity: string): Buffer {
	const isText = activity.trimStart().startsWith('{');
	const bytes = Buffer.from(activity, isText ? 'utf8' : 'base64url');
	if (bytes.length > MAX_PIXEL_BYTES) {
		throw new DomainError('body_too_large', `the activity is longer than ${MAX_PIXEL_BYTES} bytes`);
	}
	return bytes;
}
