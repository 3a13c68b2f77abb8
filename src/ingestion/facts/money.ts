import type {Json, JsonObject} from './activity.ts';

/** Money and units are integers of 1/10,000 (semantics.md, Timeline). */
export const SCALE = 10_000;
/** What an Int64 column holds; beyond it a value saturates. */
const LIMIT = 9.2e18;

/** `value` in 1/10,000, rounded half up on its decimal digits, not on its binary ones (1.00005 is a half). */
export function toScaled(value: number): number {
	const scaled = value * SCALE;
	if (Math.abs(scaled) >= LIMIT) return Math.sign(scaled) * LIMIT;
	const below = Math.floor(scaled);
	const nearHalf = Math.abs(scaled - below - 0.5) <= Math.max(1, Math.abs(scaled)) * 1e-12;
	// Beside a half the shortest decimal text of the number decides.
	return nearHalf ? below + (isDecimalHalfOrMore(value, below) ? 1 : 0) : Math.round(scaled);
}

/** Whether `value` is at least (below + 0.5) / 10,000 in decimal digits. */
function isDecimalHalfOrMore(value: number, below: number): boolean {
	const [digits = '0', exponent = '0'] = value.toExponential().split('e');
	const fraction = digits.split('.')[1]?.length ?? 0;
	const power = Number(exponent) - fraction + 5;
	const integer = BigInt(digits.replace('.', ''));
	const half = BigInt(below) * 10n + 5n;
	return power >= 0 ? integer * 10n ** BigInt(power) >= half : integer >= half * 10n ** BigInt(-power);
}

function numberOf(value: Json | undefined): number | undefined {
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** `$qty`, `$quantity` accepted; absent or null = 1. */
function quantityOf(item: JsonObject): number {
	return numberOf(item.$qty ?? item.$quantity) ?? 1;
}

/** The objects of `$items`; anything else in it is not an item. */
export function itemsOf(properties: JsonObject): readonly JsonObject[] {
	const items = properties.$items;
	if (!Array.isArray(items)) return [];
	return items.filter(
		(item): item is JsonObject => typeof item === 'object' && item !== null && !Array.isArray(item),
	);
}

/** The row's money: `$amount` when it is a number, else the sum over the items, else 0. */
export function moneyOf(properties: JsonObject, items: readonly JsonObject[]): number {
	const amount = numberOf(properties.$amount);
	if (amount !== undefined) return toScaled(amount);
	let sum = 0;
	for (const item of items) sum += (numberOf(item.$price) ?? 0) * quantityOf(item);
	return toScaled(cleanSum(sum));
}

export function unitsOf(items: readonly JsonObject[]): number {
	let sum = 0;
	for (const item of items) sum += quantityOf(item);
	return toScaled(cleanSum(sum));
}

/** Products and sums of decimals carry binary dust (0.1 + 0.2); 15 digits are what the inputs were exact to. */
function cleanSum(sum: number): number {
	return Number.isInteger(sum) ? sum : Number(sum.toPrecision(15));
}
