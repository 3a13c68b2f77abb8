/**
 * Activities as a shop's tracker sends them, as JSON text. The same number makes the same activity of the same person;
 * texts are put together by hand, since whoever generates them shares the machine with what is measured.
 */

/** People who are met again and again; two thirds of them under an account as well. */
const PEOPLE = 8_192;
/** In every batch one activity is of this person, so that whoever looks can count the batches. */
export const BATCH_MARKER = 'vec:one-in-every-batch';

/** One event, about 400 bytes; odd numbers are page views from a campaign, even ones look at a product. */
export function singleActivity(number: number, atMs: number): string {
	const person = spread(number) % PEOPLE;
	return number % 2 === 0 ? itemView(agent(person), number, atMs) : landing(agent(person), person, atMs);
}

/** Of somebody who was never met before, as long as `name` is new. */
export function strangersActivity(name: string, number: number, atMs: number): string {
	return itemView(`vec:new-${name}-${number}`, number, atMs);
}

/** Two events, about 650 bytes. One in `newEvery` is of somebody new. */
export function visit(name: string, number: number, atMs: number, newEvery: number): string {
	const person = spread(number) % PEOPLE;
	const who = number % newEvery === 0 ? `vec:new-${name}-${number}` : agent(person);
	return visitOf(who, number, atMs);
}

export function visitOf(userAgentId: string, number: number, atMs: number): string {
	return `{"$type":"SITE_VISIT","$session_status":"CLOSED_SESSION","$site_id":"1","$ts":${atMs},"$user_agent_id":"${userAgentId}","$location":null,"$origin":{"$source":"google","$channel":"cpc","$campaign_name":"autumn-${number % 40}"},"$events":[${itemViewEvent(number, atMs)},{"$event_name":"$basket_view","$ts":${atMs + 1500},"$properties":{"$items":[${item(number)}],"$amount":${10 + (number % 90)}.5}}]}`;
}

function itemView(userAgentId: string, number: number, atMs: number): string {
	return `{"$type":"SITE_VISIT","$session_status":"IN_SESSION","$site_id":"1","$ts":${atMs},"$user_agent_id":"${userAgentId}","$location":null,"$origin":{"$source":"direct","$channel":""},"$events":[${itemViewEvent(number, atMs)}]}`;
}

function itemViewEvent(number: number, atMs: number): string {
	return `{"$event_name":"$item_view","$ts":${atMs},"$properties":{"$items":[${item(number)}]}}`;
}

function item(number: number): string {
	const product = spread(number) % 5_000;
	return `{"$id":"p-${product}","$name":"Enamelled kettle ${product}","$qty":${1 + (number % 3)},"$price":${5 + (product % 200)}.9,"$brand":"brand-${product % 50}","$category1":"category-${product % 12}"}`;
}

function landing(userAgentId: string, person: number, atMs: number): string {
	const account = person % 3 === 0 ? '' : `,{"$type":"USER_ACCOUNT","$user_account_id":"customer-${person}"}`;
	return `{"$type":"SITE_VISIT","$session_status":"IN_SESSION","$site_id":"1","$ts":${atMs},"$user_identifiers":[{"$type":"USER_AGENT","$user_agent_id":"${userAgentId}"}${account}],"$origin":{"$source":"newsletter","$channel":"email","$campaign_name":"autumn"},"$events":[{"$event_name":"$home_view","$ts":${atMs},"$properties":{"$url":"https://shop.example/?utm_source=newsletter","$referrer":""}}]}`;
}

function agent(person: number): string {
	return `vec:${(spread(person) + 10_000_000_000).toString(36)}-${person}`;
}

/** Neighbouring numbers far apart, always the same. */
function spread(number: number): number {
	return Math.imul(number + 1, 0x9e3779b1) >>> 0;
}
