/** What the interface answers is data of one caller: nobody keeps it, guesses its type, or tells where it came from. */
export const INTERFACE_HEADERS: Readonly<Record<string, string>> = {
	'Cache-Control': 'no-store',
	'X-Content-Type-Options': 'nosniff',
	'Referrer-Policy': 'no-referrer',
};
