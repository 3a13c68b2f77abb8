/** The service's address without its /v1. Throws `TypeError` where it is no http address. */
export function baseOf(url: string): string {
	if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
		throw new TypeError(`${url} is no http address`);
	}
	return url.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** `/v1/datamarts/{datamartId}` with its values, each escaped so that none of them can lead elsewhere. */
export function filled(template: string, values: Readonly<Record<string, string | number>> = {}): string {
	const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = values[name];
		if (value === undefined || value === '') throw new TypeError(`${template}: ${name} is needed`);
		// Selectors are written `user_agent_id=...` and `compartmentId=...,user_account_id=...`: these letters may stand.
		return encodeURIComponent(value).replace(/%(?:3D|2C|3A)/g, decodeURIComponent);
	});
	// Nothing can be escaped about dots, and what lies on the way would go up a folder for them.
	if (path.split('/').some(part => part === '.' || part === '..')) {
		throw new TypeError(`${template}: . and .. are no values`);
	}
	return path;
}

/** What is undefined or null is left out; a list is given value by value. */
export function queryText(query: Readonly<Record<string, unknown>> = {}): string {
	const words = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		for (const each of Array.isArray(value) ? value : [value]) {
			if (each !== undefined && each !== null) words.append(name, String(each));
		}
	}
	const text = words.toString();
	return text === '' ? '' : `?${text}`;
}
