import test from 'ava';
import {Backlog} from '../../src/ingestion/backlog.ts';

test('what waits is counted until it is drained, and is as old as the oldest of it', t => {
	const backlog = new Backlog();
	t.is(backlog.ageMs(1_000), 0);
	backlog.committed(3, 10, 1_000);
	backlog.committed(2, 12, 1_010);
	backlog.committed(5, 20, 4_000);
	t.is(backlog.records, 10);
	t.is(backlog.ageMs(5_000), 4_000);

	backlog.confirmed(11);
	t.is(backlog.records, 10, 'commits of one moment leave together');
	backlog.confirmed(12);
	t.is(backlog.records, 5);
	t.is(backlog.ageMs(5_000), 1_000);
	backlog.confirmed(20);
	t.is(backlog.records, 0);
	t.is(backlog.ageMs(9_000), 0);
});

test('an outage of any length takes a bounded place and loses no count', t => {
	const backlog = new Backlog();
	const commits = 50_000;
	for (let at = 1; at <= commits; at++) backlog.committed(1, at + 1, at * 1_000);
	t.is(backlog.records, commits);
	backlog.confirmed(5_000);
	t.is(backlog.records, commits - 4_999);
	t.is(backlog.ageMs(commits * 1_000), (commits - 5_000) * 1_000);
	backlog.confirmed(commits + 1);
	t.is(backlog.records, 0);
});
