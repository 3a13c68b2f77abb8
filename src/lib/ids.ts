const ID = /^[1-9]\d{0,15}$/;

/** A record id as the wire brings it, text or number; undefined when it cannot be one. */
export function parseId(value: string | number): number | undefined {
	const text = String(value);
	const id = Number(text);
	return ID.test(text) && Number.isSafeInteger(id) ? id : undefined;
}
