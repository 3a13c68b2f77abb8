import test from 'ava';
import {dayOf, daysUntil, isDay, lastDays, midnight, startsOfDays} from '../../src/lib/days.ts';

const HOUR = 3_600_000;

test('a day starts at local midnight', t => {
	t.is(midnight('2026-07-01', 'UTC', 'start'), Date.UTC(2026, 6, 1));
	t.is(midnight('2026-07-01', 'Europe/Paris', 'start'), Date.UTC(2026, 5, 30, 22));
	t.is(midnight('2026-07-01', 'Asia/Kolkata', 'end'), Date.UTC(2026, 5, 30, 18, 30));
});

test('a midnight that the clocks skip is the first instant after the gap', t => {
	for (const [day, timeZone, utc] of [
		['2018-11-04', 'America/Sao_Paulo', Date.UTC(2018, 10, 4, 3)],
		['2025-04-25', 'Africa/Cairo', Date.UTC(2025, 3, 24, 22)],
		// A gap from 23:30 to 00:30: the day begins half an hour late.
		['1919-03-31', 'America/Toronto', Date.UTC(1919, 2, 31, 4, 30)],
		// A day that never was.
		['2011-12-30', 'Pacific/Apia', Date.UTC(2011, 11, 30, 10)],
	] as const) {
		t.is(midnight(day, timeZone, 'start'), utc, `${day} ${timeZone}`);
		t.is(midnight(day, timeZone, 'end'), utc, `${day} ${timeZone}`);
	}
});

test('of a midnight that comes twice a period starts at the earlier and ends at the later', t => {
	const earlier = Date.UTC(2024, 10, 3, 4);
	t.is(midnight('2024-11-03', 'America/Havana', 'start'), earlier);
	t.is(midnight('2024-11-03', 'America/Havana', 'end'), earlier + HOUR);
	t.deepEqual(daysUntil('2024-11-02', '2024-11-03', 'America/Havana'), {
		fromMs: Date.UTC(2024, 10, 2, 4),
		untilMs: earlier + HOUR,
	});
});

test('the last days end with the end of today, wherever today is', t => {
	const now = Date.UTC(2026, 2, 31, 23, 30);
	t.deepEqual(lastDays('DAY', 7, now, 'UTC'), {first: '2026-03-25', end: '2026-04-01'});
	t.deepEqual(lastDays('DAY', 1, now, 'Europe/Paris'), {first: '2026-04-01', end: '2026-04-02'});
	t.deepEqual(lastDays('WEEK', 2, now, 'UTC'), {first: '2026-03-18', end: '2026-04-01'});
	t.deepEqual(lastDays('MONTH', 1, now, 'UTC'), {first: '2026-03-01', end: '2026-04-01'});
	t.is(dayOf(now, 'Europe/Paris'), '2026-04-01');
});

test('every day of a period is told with its start', t => {
	t.deepEqual(startsOfDays('2025-04-24', '2025-04-26', 'Africa/Cairo'), [
		{day: '2025-04-24', startMs: Date.UTC(2025, 3, 23, 22)},
		{day: '2025-04-25', startMs: Date.UTC(2025, 3, 24, 22)},
	]);
});

test('only days of the calendar are days', t => {
	t.true(isDay('2024-02-29'));
	for (const text of [
		'2025-02-29',
		'2026-13-01',
		'2026-1-1',
		'20260101',
		'2026-01-01T00:00:00',
		'',
		'today',
	]) {
		t.false(isDay(text), text);
	}
});
