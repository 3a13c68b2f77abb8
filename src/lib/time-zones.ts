/** Whether the text is an IANA time zone name (or alias) this runtime knows; offsets such as `+01:00` are none. */
export function isTimeZone(name: string): boolean {
	if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return false;
	try {
		new Intl.DateTimeFormat('en', {timeZone: name});
		return true;
	} catch {
		return false;
	}
}
