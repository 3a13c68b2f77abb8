import test from 'ava';
import {parseDate} from '../../src/lib/date-math.ts';
import {offsetsIn} from '../../src/lib/local-time.ts';

/** Half past one on a Wednesday night in Paris: 2026-03-11T01:30:15.250+01:00. */
const nowMs = Date.UTC(2026, 2, 11, 0, 30, 15, 250);

function edges(text: string, timeZone = 'Europe/Paris'): string[] {
	const date = parseDate(text)!;
	return (['start', 'end'] as const).map(edge => new Date(date(edge, {nowMs, timeZone})).toISOString());
}

test('an end takes in its whole second, a day alone its whole day', t => {
	t.deepEqual(edges('2026-03-01T23:59:59'), ['2026-03-01T22:59:59.000Z', '2026-03-01T23:00:00.000Z']);
	t.deepEqual(edges('2026-03-01'), ['2026-02-28T23:00:00.000Z', '2026-03-01T23:00:00.000Z']);
	t.deepEqual(edges('2026-03-01 10:30'), ['2026-03-01T09:30:00.000Z', '2026-03-01T09:30:01.000Z']);
	t.deepEqual(edges('2026-03-01T10:30:00.999'), ['2026-03-01T09:30:00.999Z', '2026-03-01T09:30:01.000Z']);
	t.deepEqual(edges('2026-03-01T10:30:00Z'), ['2026-03-01T10:30:00.000Z', '2026-03-01T10:30:01.000Z']);
	t.deepEqual(edges('2026-03-01T10:30:00-05:00'), ['2026-03-01T15:30:00.000Z', '2026-03-01T15:30:01.000Z']);
});

test('now is moved by calendar units and cut to them, in the time zone', t => {
	t.deepEqual(edges('now'), ['2026-03-11T00:30:15.250Z', '2026-03-11T00:30:16.000Z']);
	t.is(edges('now-7d')[0], '2026-03-04T00:30:15.250Z');
	t.deepEqual(edges('now/d'), ['2026-03-10T23:00:00.000Z', '2026-03-11T23:00:00.000Z']);
	t.deepEqual(edges('now-7d/d'), ['2026-03-03T23:00:00.000Z', '2026-03-04T23:00:00.000Z']);
	t.deepEqual(edges('now-1M/M'), ['2026-01-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z']);
	t.deepEqual(edges('now/w'), ['2026-03-08T23:00:00.000Z', '2026-03-15T23:00:00.000Z']);
	t.deepEqual(edges('now/y'), ['2025-12-31T23:00:00.000Z', '2026-12-31T23:00:00.000Z']);
	t.deepEqual(edges('now-90m/h'), ['2026-03-10T23:00:00.000Z', '2026-03-11T00:00:00.000Z']);
	t.is(edges('now-1d+2h')[0], '2026-03-10T02:30:15.250Z');
	t.is(edges('now+3w', 'UTC')[0], '2026-04-01T00:30:15.250Z');
});

test('a week ago keeps its hour where the clocks have moved since', t => {
	const clock = {nowMs: Date.UTC(2026, 3, 1, 10), timeZone: 'Europe/Paris'};
	t.is(parseDate('now-7d')!('start', clock), Date.UTC(2026, 2, 25, 11));
	t.is(parseDate('now-168h')!('start', clock), Date.UTC(2026, 2, 25, 10));
});

test('a time that never came is the first instant after the gap; one that came twice is taken in whole', t => {
	t.deepEqual(edges('2026-03-29T02:30:00'), ['2026-03-29T01:00:00.000Z', '2026-03-29T01:00:00.000Z']);
	t.deepEqual(edges('2026-10-25T02:30:00'), ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:01.000Z']);
	t.deepEqual(edges('2018-11-04', 'America/Sao_Paulo'), [
		'2018-11-04T03:00:00.000Z',
		'2018-11-05T02:00:00.000Z',
	]);
	t.deepEqual(edges('2011-12-30', 'Pacific/Apia'), ['2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z']);
});

test('what is no date is refused', t => {
	for (const text of [
		...['', 'yesterday', '2026-02-30', '2026-13-01T00:00:00', '2026-03-01T25:00:00', '20260301'],
		...[
			'now-',
			'now-7',
			'now-7x',
			'now-7d/q',
			'now /d',
			'NOW',
			'now/d/d',
			"now'; DROP TABLE facts",
			'2026-03-01T',
		],
	]) {
		t.is(parseDate(text), undefined, text);
	}
});

test('the offsets of a range are those clocks had in it, from its start on', t => {
	const hour = 3_600_000;
	const range = {fromMs: Date.UTC(2026, 0, 1), untilMs: Date.UTC(2026, 11, 31)};
	t.deepEqual(offsetsIn(range, 'Europe/Paris'), [
		{fromMs: range.fromMs, offsetMs: hour},
		{fromMs: Date.UTC(2026, 2, 29, 1), offsetMs: 2 * hour},
		{fromMs: Date.UTC(2026, 9, 25, 1), offsetMs: hour},
	]);
	t.deepEqual(offsetsIn(range, 'UTC'), [{fromMs: range.fromMs, offsetMs: 0}]);
	t.deepEqual(offsetsIn({fromMs: 5, untilMs: 5}, 'Asia/Kolkata'), [{fromMs: 5, offsetMs: 5.5 * hour}]);
});
