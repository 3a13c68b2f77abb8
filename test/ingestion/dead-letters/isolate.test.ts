import test from 'ava';
import {refusedAmong} from '../../../src/ingestion/drain/isolate.ts';

const NUMBERS = Array.from({length: 2_000}, (_, index) => index);

async function isolate(offenders: readonly number[]) {
	let tries = 0;
	const found = await refusedAmong(NUMBERS, async items => {
		tries += 1;
		return !items.some(item => offenders.includes(item));
	});
	return {found, tries};
}

test('one offender among two thousand is found in some twenty tries, wherever it stands', async t => {
	for (const offender of [0, 999, 1_000, 1_999]) {
		const {found, tries} = await isolate([offender]);
		t.deepEqual(found, [offender]);
		t.true(tries <= 24, `${tries} tries`);
	}
});

test('several offenders are found, in order, and nobody else', async t => {
	t.deepEqual((await isolate([3, 4, 1_500])).found, [3, 4, 1_500]);
	t.deepEqual((await isolate([])).found, []);
	t.deepEqual((await isolate(NUMBERS)).found, NUMBERS);
});

test('a store that goes away meanwhile blames nobody', async t => {
	await t.throwsAsync(
		refusedAmong(NUMBERS, async items => {
			if (items.length < 500) throw new Error('gone');
			return false;
		}),
		{message: 'gone'},
	);
});
