import type {DataFilePlace} from './data-file-uri.ts';

/** Files of one form at known places: they are looked into before they are stored. */
export interface FileKind {
	readonly maxBytes: number;
	/** Whether a file at this place is one. Errors: where nothing may stand there at all. */
	claims(place: DataFilePlace): boolean;
	/** Throws `field_invalid` or `json_malformed` with every fault. */
	check(bytes: Buffer): void;
}
