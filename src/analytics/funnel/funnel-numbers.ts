/** Mean in whole seconds, rounded half up, exact for any sum: ms summed over `count`; 0 of nobody. */
export function meanSeconds(sumMs: bigint, count: bigint): number {
	return count === 0n ? 0 : Number((2n * sumMs + 1000n * count) / (2000n * count));
}

/** 1/10,000 as a number with at most four decimals, the nearest there is. */
export function decimal(tenThousandths: bigint): number {
	const sign = tenThousandths < 0n ? '-' : '';
	const digits = String(tenThousandths < 0n ? -tenThousandths : tenThousandths).padStart(5, '0');
	return Number(`${sign}${digits.slice(0, -4)}.${digits.slice(-4)}`);
}
