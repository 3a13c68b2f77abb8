import {isbot} from 'isbot';
import {LRUCache} from 'lru-cache';
import UAParser from 'ua-parser-js';
import type {DeviceDimensions} from './facts.ts';

/** Few agents make most of the traffic. */
const REMEMBERED = 20_000;
/** Parsers are regular expressions: a longer text is nobody's browser. */
const MAX_LENGTH = 1024;

const FORM_FACTORS: Readonly<Record<string, string>> = {
	mobile: 'SMARTPHONE',
	tablet: 'TABLET',
	smarttv: 'SMART_TV',
	console: 'GAME_CONSOLE',
	wearable: 'WEARABLE_COMPUTER',
};

/** First match wins; names are the parser's. */
const OS_FAMILIES: readonly (readonly [RegExp, string])[] = [
	[/^windows/i, 'WINDOWS'],
	[/^mac ?os/i, 'MAC_OS'],
	[/^ios|^watchos/i, 'IOS'],
	[/^android|^harmony/i, 'ANDROID'],
	[/linux|^chrom(e|ium) os|ubuntu|debian|fedora|suse|arch|gentoo|mint|red ?hat|centos/i, 'LINUX'],
];

const BROWSER_FAMILIES: readonly (readonly [RegExp, string])[] = [
	[/^edge/i, 'MICROSOFT_EDGE'],
	[/^ie|^ie ?mobile/i, 'IE'],
	[/^opera/i, 'OPERA'],
	[/firefox|^fennec|^iceweasel/i, 'FIREFOX'],
	[/^android browser/i, 'STOCK_ANDROID'],
	[/chrome|chromium/i, 'CHROME'],
	[/safari|^webkit/i, 'SAFARI'],
];

const EMAIL_CLIENTS = /Thunderbird|Microsoft Outlook|MSOffice|Postbox|Lotus-Notes|YahooMobileMail/i;

/** Device dimensions from a raw User-Agent, in the field guide's enumerations (section 3, Enums). */
export function createUserAgentParser(): (userAgent: string) => DeviceDimensions {
	const remembered = new LRUCache<string, DeviceDimensions>({max: REMEMBERED});
	return userAgent => {
		const cut = userAgent.slice(0, MAX_LENGTH);
		const known = remembered.get(cut);
		if (known) return known;
		const parsed = parse(cut);
		remembered.set(cut, parsed);
		return parsed;
	};
}

function parse(userAgent: string): DeviceDimensions {
	const {browser, device, os} = new UAParser(userAgent).getResult();
	const osFamily = familyOf(OS_FAMILIES, os.name);
	// The parser leaves the type open for desktops; only a desktop system closes it.
	const desktop = ['WINDOWS', 'MAC_OS', 'LINUX'].includes(osFamily) ? 'PERSONAL_COMPUTER' : 'OTHER';
	return {
		formFactor: FORM_FACTORS[device.type ?? ''] ?? desktop,
		osFamily,
		browserFamily: browserOf(userAgent, browser.name),
		brand: device.vendor ?? '',
		model: device.model ?? '',
		carrier: '',
	};
}

function browserOf(userAgent: string, name: string | undefined): string {
	if (EMAIL_CLIENTS.test(userAgent)) return 'EMAIL_CLIENT';
	return isbot(userAgent) ? 'BOT' : familyOf(BROWSER_FAMILIES, name);
}

function familyOf(families: readonly (readonly [RegExp, string])[], name: string | undefined): string {
	return families.find(([pattern]) => name !== undefined && pattern.test(name))?.[1] ?? 'OTHER';
}
