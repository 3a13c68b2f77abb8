import {Chance} from './random.ts';

/** A shop's visits of the last two weeks, made up from a seed. */
export interface ShopOptions {
	readonly seed: number;
	readonly shoppers: number;
	/** Told apart from earlier runs by it: shoppers of two runs are different people. */
	readonly runId: string;
	/** ms; the visits end before it. */
	readonly nowMs: number;
	readonly days: number;
	readonly siteId: string;
	readonly appId: string;
}

interface Product {
	readonly $product_id: string;
	readonly $brand: string;
	readonly $category1: string;
	readonly $category2: string;
	readonly $price: number;
}

interface ShopEvent {
	readonly $event_name: string;
	readonly $ts: number;
	readonly $properties: Record<string, unknown>;
}

const DAY_MS = 86_400_000;

const PRODUCTS: readonly Product[] = [
	['trail-shoe', 'Fellgate', 'Shoes', 'Trail', 119],
	['road-shoe', 'Fellgate', 'Shoes', 'Road', 99.5],
	['sandal', 'Tarn', 'Shoes', 'Summer', 49.9],
	['rain-jacket', 'Tarn', 'Clothing', 'Jackets', 159],
	['fleece', 'Tarn', 'Clothing', 'Jackets', 69.95],
	['wool-socks', 'Lambswick', 'Clothing', 'Socks', 14.9],
	['base-layer', 'Lambswick', 'Clothing', 'Shirts', 54],
	['day-pack', 'Cairn & Sons', 'Bags', 'Backpacks', 79],
	['travel-bag', 'Cairn & Sons', 'Bags', 'Travel', 129],
	['bottle', 'Cairn & Sons', 'Gear', 'Bottles', 18.5],
	['head-lamp', 'Northlight', 'Gear', 'Lamps', 39.99],
	['tent', 'Northlight', 'Gear', 'Tents', 349],
].map(([id, brand, category1, category2, price]) => ({
	$product_id: String(id),
	$brand: String(brand),
	$category1: String(category1),
	$category2: String(category2),
	$price: Number(price),
}));

const AGENTS = [
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
	'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
	'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
	'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
	'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
];

const ORIGINS = [
	undefined,
	{$source: 'search', $channel: 'organic'},
	{$source: 'newsletter', $channel: 'email', $campaign_id: 101, $campaign_name: 'Autumn letter'},
	{
		$source: 'partner',
		$channel: 'display',
		$campaign_id: 102,
		$campaign_name: 'Boots banner',
		$creative_id: 7,
	},
];

/** What a shopper is like; drawn once, so that people who come back stay who they are. */
interface Shopper {
	readonly agentId: string;
	readonly accountId: string | undefined;
	readonly userAgent: string;
	readonly usesApp: boolean;
	/** How readily each further step is taken. */
	readonly keenness: number;
}

/** User activities as a client would post them, shopper by shopper, each shopper's visits in order of time. */
export function* shopActivities(options: ShopOptions): Generator<Record<string, unknown>> {
	const chance = new Chance(options.seed);
	for (let number = 1; number <= options.shoppers; number++) {
		const shopper = drawShopper(chance, `${options.runId}${String(number).padStart(6, '0')}`);
		const visits = 1 + (chance.happens(0.45) ? chance.between(1, 3) : 0);
		const startMs = options.nowMs - options.days * DAY_MS;
		const times = Array.from(
			{length: visits},
			() => startMs + Math.floor(chance.next() * (options.days - 0.1) * DAY_MS),
		);
		for (const ts of times.sort((a, b) => a - b)) yield visit(chance, shopper, ts, options);
	}
}

function drawShopper(chance: Chance, name: string): Shopper {
	return {
		agentId: `vec:${name}`,
		accountId: chance.happens(0.35) ? `customer-${name}` : undefined,
		userAgent: chance.pick(AGENTS),
		usesApp: chance.happens(0.2),
		keenness: 0.6 + 0.6 * chance.next(),
	};
}

function visit(chance: Chance, shopper: Shopper, startMs: number, {siteId, appId}: ShopOptions) {
	const events = visitEvents(chance, shopper, startMs);
	const origin = chance.pick(ORIGINS);
	return {
		$type: shopper.usesApp ? 'APP_VISIT' : 'SITE_VISIT',
		...(shopper.usesApp ? {$app_id: appId} : {$site_id: siteId}),
		$session_status: 'CLOSED_SESSION',
		$ts: startMs,
		$session_duration: Math.round((events.at(-1)!.$ts - startMs) / 1000) + chance.between(5, 90),
		$user_agent: shopper.userAgent,
		...(origin && {$origin: origin}),
		$user_identifiers: [
			{$type: 'USER_AGENT', $user_agent_id: shopper.agentId},
			...(shopper.accountId ? [{$type: 'USER_ACCOUNT', $user_account_id: shopper.accountId}] : []),
		],
		$events: events,
	};
}

/** Home, lists, items, basket, purchase: each only after the one before, and only sometimes. */
function visitEvents(chance: Chance, shopper: Shopper, startMs: number): ShopEvent[] {
	const events: ShopEvent[] = [];
	let ts = startMs;
	const add = (name: string, properties: Record<string, unknown> = {}) => {
		events.push({$event_name: name, $ts: ts, $properties: properties});
		ts += chance.between(3_000, 150_000);
	};
	const goesOn = (probability: number) => chance.happens(Math.min(0.97, probability * shopper.keenness));

	add('$home_view', {page: '/'});
	if (!goesOn(0.8)) return events;
	const seen = Array.from({length: chance.between(1, 3)}, () => chance.pick(PRODUCTS));
	add('$item_list_view', {$items: seen.map(item => ({...item}))});
	if (!goesOn(0.6)) return events;
	for (const item of seen) add('$item_view', {$items: [item]});
	if (!goesOn(0.4)) return events;
	const basket = seen.map(item => ({...item, $qty: chance.happens(0.2) ? 2 : 1}));
	add('$basket_view', {$items: basket});
	if (!goesOn(0.45)) return events;
	add('$transaction_confirmed', {$items: basket});
	return events;
}
