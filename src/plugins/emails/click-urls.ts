/**
 * Where a link of an email leads: through each prefix in turn, to the destination. What comes next stands URL-encoded at
 * the end of the prefix before it: prefix1 + encode(prefix2 + encode(destination)) (specification, "Plugin worker
 * endpoints"). Without prefixes the destination as it is.
 */
export function clickUrl(prefixes: readonly string[], destination: string): string {
	return prefixes.reduceRight((url, prefix) => prefix + encodeURIComponent(wellFormed(url)), destination);
}

/** Whether links may be led through it: it is the beginning of a web address, with a place for what comes next. */
export function isClickPrefix(prefix: string): boolean {
	const led = clickUrl([prefix], 'https://example.org/');
	return URL.canParse(led) && ['http:', 'https:'].includes(new URL(led).protocol);
}

/** A lone surrogate has no encoding: as a replacement character it does not stop the whole email. */
function wellFormed(text: string): string {
	return Buffer.from(text).toString();
}
