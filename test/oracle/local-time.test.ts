import test from 'ava';
import {Temporal} from 'temporal-polyfill';
import {periodOf} from './funnel.ts';
import {localDay, midnight} from './local-time.ts';
import {EDGES} from './vocabulary.ts';

const instant = (text: string) => Date.parse(text);

test('a skipped midnight is the first instant after the gap', t => {
	t.is(midnight('2018-11-04', 'America/Sao_Paulo', 'start'), instant('2018-11-04T03:00:00Z'));
	t.is(midnight('2018-11-04', 'America/Sao_Paulo', 'end'), instant('2018-11-04T03:00:00Z'));
	t.is(midnight('2025-04-25', 'Africa/Cairo', 'start'), instant('2025-04-24T22:00:00Z'));
	// 23:30 jumped to 00:30, so midnight is not where the gap begins.
	t.is(midnight('1919-03-31', 'America/Toronto', 'start'), instant('1919-03-31T04:30:00Z'));
	// A whole day is missing.
	t.is(midnight('2011-12-30', 'Pacific/Apia', 'start'), midnight('2011-12-31', 'Pacific/Apia', 'start'));
});

test('a repeated midnight is the earlier for a start and the later for an end', t => {
	t.is(midnight('2024-11-03', 'America/Havana', 'start'), instant('2024-11-03T04:00:00Z'));
	t.is(midnight('2024-11-03', 'America/Havana', 'end'), instant('2024-11-03T05:00:00Z'));
});

test('midnights are those of an independent calendar', t => {
	const zones = ['UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Chatham', 'America/St_Johns'];
	const places = [
		...EDGES,
		...zones.flatMap(timeZone => ['2024-03-31', '2024-04-07', '2024-11-03'].map(day => ({timeZone, day}))),
	];
	for (const {timeZone, day} of places) {
		for (const days of [-1, 0, 1]) {
			const date = Temporal.PlainDate.from(day).add({days});
			const first = date.toZonedDateTime(timeZone);
			const later = date.toPlainDateTime('00:00').toZonedDateTime(timeZone, {disambiguation: 'later'});
			const last = later.toPlainTime().equals('00:00') ? later : first;

			t.is(midnight(date.toString(), timeZone, 'start'), first.epochMilliseconds, `${timeZone} ${date}`);
			t.is(midnight(date.toString(), timeZone, 'end'), last.epochMilliseconds, `${timeZone} ${date}`);
		}
	}
});

test('the local day of an instant is that of the wall clock', t => {
	t.is(localDay(instant('2024-01-31T18:29:59.999Z'), 'Asia/Kolkata'), '2024-01-31');
	t.is(localDay(instant('2024-01-31T18:30:00Z'), 'Asia/Kolkata'), '2024-02-01');
});

test('a period includes its first midnight and excludes its last', t => {
	t.deepEqual(periodOf({type: 'DATES', start_date: '2024-03-30', end_date: '2024-04-01'}, 'Europe/Paris'), {
		from: instant('2024-03-29T23:00:00Z'),
		until: instant('2024-03-31T22:00:00Z'),
	});
});

test('a window of days, weeks or months ends with the end of the local today', t => {
	// Already the 11th in Kolkata.
	const now = instant('2024-03-10T20:00:00Z');
	const days = (unit: 'DAY' | 'WEEK' | 'MONTH', offset: number) => {
		const {from, until} = periodOf({type: 'WINDOW', unit, offset}, 'Asia/Kolkata', now);
		return [localDay(from, 'Asia/Kolkata'), localDay(until, 'Asia/Kolkata')];
	};

	t.deepEqual(days('DAY', 1), ['2024-03-11', '2024-03-12']);
	t.deepEqual(days('DAY', 7), ['2024-03-05', '2024-03-12']);
	t.deepEqual(days('WEEK', 2), ['2024-02-27', '2024-03-12']);
	t.deepEqual(days('MONTH', 1), ['2024-02-12', '2024-03-12']);
	t.deepEqual(periodOf({type: 'WINDOW', unit: 'MONTH', offset: 1}, 'UTC', instant('2024-03-30T12:00:00Z')), {
		from: instant('2024-02-29T00:00:00Z'),
		until: instant('2024-03-31T00:00:00Z'),
	});
});
