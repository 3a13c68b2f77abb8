/** Exact decimal sums, so that "half" is decided by the digits a client wrote and not by a binary fraction. */

/** The number digits / 10^scale. */
interface Decimal {
	readonly digits: bigint;
	readonly scale: number;
}

const TEN_THOUSANDTHS = 4;
const MOST_KNOWN = 10_000;

const decimals = new Map<number, Decimal>();

/** The shortest decimal that reads back as this number: what JSON writes for it. */
function decimalOf(value: number): Decimal {
	const known = decimals.get(value) ?? readDecimal(value);
	if (decimals.size < MOST_KNOWN) decimals.set(value, known);
	return known;
}

function readDecimal(value: number): Decimal {
	const [, sign = '', whole = '0', fraction = '', exponent = '0'] =
		/^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
	const scale = fraction.length - Number(exponent);
	const digits = BigInt(sign + whole + fraction);
	return scale >= 0 ? {digits, scale} : {digits: digits * 10n ** BigInt(-scale), scale: 0};
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
	const quotient = dividend / divisor;
	return dividend % divisor < 0n ? quotient - 1n : quotient;
}

/**
 * The sum of products, rounded half up (towards plus infinity) to 1/10,000, as an integer of 1/10,000
 * (semantics.md, Timeline).
 */
export function tenThousandths(products: readonly (readonly [number, number])[]): number {
	if (products.length === 0) return 0;
	const terms = products.map(([left, right]) => {
		const [a, b] = [decimalOf(left), decimalOf(right)];
		return {digits: a.digits * b.digits, scale: a.scale + b.scale};
	});
	const scale = Math.max(TEN_THOUSANDTHS, ...terms.map(term => term.scale));
	const sum = terms.reduce((total, term) => total + term.digits * 10n ** BigInt(scale - term.scale), 0n);
	const unit = 10n ** BigInt(scale - TEN_THOUSANDTHS);
	return Number(floorDivide(2n * sum + unit, 2n * unit));
}
