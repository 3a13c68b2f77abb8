import {isDeepStrictEqual} from 'node:util';
import test from 'ava';
import {byPosition} from './chains.ts';
import {type FactRow, factsOf} from './facts.ts';
import {clauseMatcher} from './filters.ts';
import {evaluateFunnel, type FunnelAnswer, periodOf} from './funnel.ts';
import {type HistoryOptions, randomCase} from './histories.ts';
import {reportedChainByTryingAll} from './naive.ts';
import type {AcceptedActivity, WireFunnelRequest} from './wire.ts';

interface Asked {
	readonly accepted: readonly AcceptedActivity[];
	readonly rows: readonly FactRow[];
	readonly timeZone: string;
	readonly request: WireFunnelRequest;
	readonly answer: FunnelAnswer;
	readonly title: string;
}

function* asked(seeds: number, options: HistoryOptions = {}): Generator<Asked> {
	for (let seed = 1; seed <= seeds; seed++) {
		const {accepted, timeZone, requests} = randomCase(seed, {samples: false, ...options});
		const {rows} = factsOf(accepted);
		for (const [index, request] of requests.entries()) {
			const answer = evaluateFunnel({rows, request, timeZone});
			yield {accepted, rows, timeZone, request, answer, title: `seed ${seed}, request ${index}`};
		}
	}
}

const DAY_MS = 86_400_000;
const plain: HistoryOptions = {exclusions: false, holding: false};

/** Each user point's rows of the period, in order. */
function timelinesOf({rows, request, timeZone, answer}: Asked): [number, FactRow[]][] {
	const {from, until} = periodOf(request.in, timeZone);
	return [...answer.chains.keys()].map(userPoint => [
		userPoint,
		rows.filter(row => row.userPoint === userPoint && row.ts >= from && row.ts < until).sort(byPosition),
	]);
}

/** Takes the first row that fits, step by step, and never looks back: right only without windows. */
function greedyChain(timeline: readonly FactRow[], {for: steps}: WireFunnelRequest): FactRow[] {
	const chain: FactRow[] = [];
	for (const row of timeline) {
		const step = steps[chain.length];
		if (step === undefined) break;
		const windowMs = (step.max_days_after_previous_step || Number.POSITIVE_INFINITY) * DAY_MS;
		const inTime = row.ts - (chain.at(-1)?.ts ?? row.ts) <= windowMs;
		if (inTime && clauseMatcher(step.filter_clause, (one, name) => one.dimensions[name]!)(row))
			chain.push(row);
	}
	return chain;
}

function withoutWindows(request: WireFunnelRequest): WireFunnelRequest {
	return {...request, for: request.for.map(step => ({...step, max_days_after_previous_step: 0}))};
}

test('searching step by step finds the chains that trying everything finds', t => {
	const small = {mostPeople: 2, mostActivities: 2, mostEvents: 3, requests: 3};
	for (const {rows, request, timeZone, answer, title} of asked(250, small)) {
		const naive = evaluateFunnel({rows, request, timeZone, findChain: reportedChainByTryingAll});
		t.deepEqual([...answer.chains], [...naive.chains], title);
		t.deepEqual(answer.global, naive.global, title);
	}
});

test('the same seed tells the same history and asks the same', t => {
	t.deepEqual(randomCase(42), randomCase(42));
	t.notDeepEqual(randomCase(42).accepted, randomCase(43).accepted);
});

test('histories can be posted as they are: JSON keeps every activity and request', t => {
	for (let seed = 1; seed <= 50; seed++) {
		const {accepted, requests, nowMs} = randomCase(seed);
		t.deepEqual(JSON.parse(JSON.stringify([accepted, requests])), [accepted, requests]);
		t.true(
			factsOf(accepted).rows.every(row => row.ts > Date.parse('2000-01-01') && row.ts < nowMs + 366 * DAY_MS),
		);
	}
});

test('the answer does not depend on the order in which facts are read', t => {
	for (const {rows, request, timeZone, answer, title} of asked(50)) {
		const backwards = evaluateFunnel({rows: [...rows].reverse(), request, timeZone});
		t.deepEqual(backwards.global, answer.global, title);
		t.deepEqual(backwards.grouped_by, answer.grouped_by, title);
		for (const [userPoint, chain] of answer.chains)
			t.deepEqual(backwards.chains.get(userPoint), chain, title);
	}
});

test('counts never grow from step to step, and every user point in the period is in the total', t => {
	for (const {answer, title} of asked(200)) {
		const {total, steps} = answer.global;
		t.is(total, answer.chains.size, title);
		steps.forEach((step, i) => void t.true(step.count <= (steps[i - 1]?.count ?? total), title));
	}
});

test('groups without a limit add up to the whole at the last split step', t => {
	let splits = 0;
	for (const {answer, request, title} of asked(200)) {
		const last = request.for.findLastIndex(step => step.group_by_dimensions !== undefined);
		if (last === -1 || request.limit !== undefined) continue;
		const at = request.for.findIndex(step => step.group_by_dimensions !== undefined);
		const whole = answer.global.steps[last]!;
		const groups = answer.grouped_by.map(({funnel}) => funnel);
		const sum = (of: (steps: FunnelAnswer['global']) => number) =>
			groups.reduce((total, one) => total + of(one), 0);
		t.is(
			sum(funnel => funnel.total),
			whole.count,
			title,
		);
		t.is(
			sum(funnel => funnel.steps[last]!.count),
			whole.count,
			title,
		);
		t.is(
			sum(funnel => funnel.steps[last]!.conversion ?? 0),
			whole.conversion ?? 0,
			title,
		);
		if (at === last && whole.count > 1) splits += 1;
	}
	t.true(splits > 20);
});

test('without windows the chain is the earliest row of each step in turn', t => {
	for (const one of asked(120, plain)) {
		const request = withoutWindows(one.request);
		const {chains} = evaluateFunnel({rows: one.rows, request, timeZone: one.timeZone});
		for (const [userPoint, timeline] of timelinesOf(one)) {
			t.deepEqual(chains.get(userPoint), greedyChain(timeline, request), one.title);
		}
	}
});

test('the troubles that histories are made for do happen in them', t => {
	const seen: Record<string, number> = {};
	const note = (trouble: string, happened: boolean) => {
		seen[trouble] = (seen[trouble] ?? 0) + (happened ? 1 : 0);
	};

	for (const one of asked(300)) {
		const {accepted, rows, request, timeZone, answer} = one;
		const chains = [...answer.chains.values()];
		const pairs = chains.flatMap(chain =>
			chain.slice(1).map((row, i) => ({
				elapsedMs: row.ts - chain[i]!.ts,
				windowMs: (request.for[i + 1]!.max_days_after_previous_step ?? 0) * DAY_MS,
			})),
		);
		const clauses = request.for.map(step => JSON.stringify(step.filter_clause));
		const changed = (other: WireFunnelRequest) =>
			!isDeepStrictEqual(evaluateFunnel({rows, request: other, timeZone}).global, answer.global);
		const extras = request.exclusions ?? request.holding_dimension;

		note('32 steps', request.for.length === 32);
		note('one step', request.for.length === 1);
		note(
			'a chain of ten rows',
			chains.some(chain => chain.length >= 10),
		);
		note(
			'a chain within one millisecond',
			pairs.some(({elapsedMs}) => elapsedMs === 0),
		);
		note(
			'a chain at its window',
			pairs.some(({elapsedMs, windowMs}) => windowMs > 0 && elapsedMs === windowMs),
		);
		note(
			'the same step again',
			clauses.some((clause, i) => clause !== undefined && clause === clauses[i - 1]),
		);
		note('a window that decides', changed(withoutWindows(request)));
		note('an exclusion that decides', changed({...request, exclusions: null}));
		note('a held dimension that decides', changed({...request, holding_dimension: null}));
		note(
			'a first fit that fails',
			extras === undefined &&
				timelinesOf(one).some(
					([userPoint, timeline]) =>
						greedyChain(timeline, request).length < answer.chains.get(userPoint)!.length,
				),
		);
		note(
			'a negation',
			request.for.some(step => step.filter_clause?.filters?.some(filter => filter.not === true) === true),
		);
		note('several groups', answer.grouped_by.length > 1);
		note(
			'a group without a value',
			answer.grouped_by.some(group => group.dimension_values.includes(null)),
		);
		note(
			'several values on a row',
			rows.some(row => row.dimensions.BRAND!.length > 1),
		);
		note(
			'user points outside the period',
			new Set(rows.map(row => row.userPoint)).size > answer.global.total + 1,
		);
		note(
			'arrival out of order',
			rows.some((row, i) => i > 0 && row.ts < rows[i - 1]!.ts),
		);
		note('a late merge', mergedLate(accepted));
		note(
			'rows of nobody',
			rows.some(row => row.userPoint === null),
		);
	}

	t.log(seen);
	for (const [trouble, times] of Object.entries(seen)) t.true(times >= 5, `${trouble}: ${times}`);
});

/** Whether the last activity made two persons one. */
function mergedLate(accepted: readonly AcceptedActivity[]): boolean {
	const persons = (list: readonly AcceptedActivity[]) =>
		new Set(factsOf(list).userPoints.ofIdentifier.values()).size;
	return persons(accepted) < persons(accepted.slice(0, -1));
}
