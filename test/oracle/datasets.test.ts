import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import test from 'ava';
import {type FactRow, factsOf} from './facts.ts';
import {evaluateFunnel, type FunnelNumbers, type GroupEntry} from './funnel.ts';
import type {WireActivity, WireFunnelRequest} from './wire.ts';

const folder = process.env.DATASETS_DIR;

interface Expected {
	readonly title: string;
	readonly request: WireFunnelRequest;
	readonly expected: {
		readonly global: FunnelNumbers;
		readonly grouped_by?: readonly Pick<GroupEntry, 'dimension_values' | 'funnel'>[];
	};
}

if (folder === undefined) {
	test.skip('real activities: skipped, DATASETS_DIR is not set', t => t.fail());
} else {
	for (const set of ['storefront', 'marketplace']) checkSet(set, join(folder, set));
}

/** Durations may differ by a second and money by two cents: the answers were rounded elsewhere. */
function rounded(actual: FunnelNumbers, expected: FunnelNumbers): FunnelNumbers {
	return {
		total: actual.total,
		steps: actual.steps.map((step, i) => {
			const other = expected.steps[i];
			const near = (a: number | undefined, b: number | undefined, tolerance: number) =>
				a !== undefined && b !== undefined && Math.abs(a - b) <= tolerance + 1e-9 ? b : a;
			return {
				...step,
				interaction_duration: near(step.interaction_duration, other?.interaction_duration, 1) ?? Number.NaN,
				...(step.amount !== undefined && {amount: near(step.amount, other?.amount, 0.02) ?? Number.NaN}),
			};
		}),
	};
}

function named(numbers: FunnelNumbers, request: WireFunnelRequest): FunnelNumbers {
	return {
		total: numbers.total,
		steps: numbers.steps.map((step, i) => ({...step, name: request.for[i]!.name})),
	};
}

function checkSet(set: string, path: string): void {
	const questions: Expected[] = JSON.parse(readFileSync(join(path, 'funnels.json'), 'utf8'));
	let rows: FactRow[] | undefined;

	function facts(): FactRow[] {
		rows ??= factsOf(
			gunzipSync(readFileSync(join(path, 'activities.ndjson.gz')))
				.toString('utf8')
				.split('\n')
				.filter(line => line !== '')
				.map(line => ({activity: JSON.parse(line) as WireActivity, receivedMs: 0})),
		).rows;
		return rows;
	}

	for (const {title, request, expected} of questions) {
		test(`${set}, ${title}: the answer is the published one`, t => {
			const answer = evaluateFunnel({rows: facts(), request, timeZone: 'UTC'});

			t.deepEqual(rounded(answer.global, expected.global), named(expected.global, request));
			const groups = expected.grouped_by ?? [];
			t.deepEqual(
				answer.grouped_by.map(({dimension_values, funnel}, i) => ({
					dimension_values,
					funnel: rounded(funnel, groups[i]?.funnel ?? funnel),
				})),
				groups.map(({dimension_values, funnel}) => ({dimension_values, funnel: named(funnel, request)})),
			);
		});
	}
}
