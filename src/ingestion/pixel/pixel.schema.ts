import {z} from 'zod';

/** `token` is read at the door; `activity` is JSON (URL-encoded) or JSON in base64url. */
export const PixelQuery = z.looseObject({activity: z.string().min(1, 'must not be empty')});
export type PixelQuery = z.output<typeof PixelQuery>;
