import test from 'ava';
import {decimal, meanSeconds} from '../../src/analytics/funnel/funnel-numbers.ts';

test('a mean is in whole seconds, half up, and exact where floating point is not', t => {
	t.is(meanSeconds(0n, 0n), 0);
	t.is(meanSeconds(1499n, 1n), 1);
	t.is(meanSeconds(1500n, 1n), 2);
	t.is(meanSeconds(4499n, 3n), 1);
	t.is(meanSeconds(4500n, 3n), 2);
	t.is(meanSeconds(9_007_199_254_740_993_499n, 9_007_199_254_740_993n), 1);
});

test('money has at most four decimals, sums beyond 2^53 included', t => {
	t.is(decimal(0n), 0);
	t.is(decimal(1n), 0.0001);
	t.is(decimal(-50_005n), -5.0005);
	t.is(decimal(123_456_789n), 12_345.6789);
	t.is(decimal(90_071_992_547_409_931n), Number('9007199254740.9931'));
});
