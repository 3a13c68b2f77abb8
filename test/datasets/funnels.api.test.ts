import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import anyTest, {type TestFn} from 'ava';
import {startTestService, type TestService} from '../support/service.ts';

const test = anyTest as TestFn<{service: TestService}>;
const {DATASETS_DIR} = process.env;

/** What the answers may differ by: whole seconds and hundredths are rounded by whoever computed them. */
const DURATION_TOLERANCE = 1;
const AMOUNT_TOLERANCE = 0.02;

interface Step {
	readonly count: number;
	readonly interaction_duration: number;
	readonly conversion?: number;
	readonly amount?: number;
}

interface Funnel {
	readonly total: number;
	readonly steps: readonly Step[];
}

interface Question {
	readonly title: string;
	readonly request: object;
	readonly expected: {
		readonly global: Funnel;
		readonly grouped_by?: readonly {readonly dimension_values: readonly unknown[]; readonly funnel: Funnel}[];
	};
}

/** What differs beyond the tolerance, in words. */
function differences(got: Funnel, wanted: Funnel): string[] {
	const found = got.total === wanted.total ? [] : [`total ${got.total} for ${wanted.total}`];
	if (got.steps.length !== wanted.steps.length) return [...found, `${got.steps.length} steps`];
	for (const [index, want] of wanted.steps.entries()) {
		const step = got.steps[index]!;
		const off = (name: keyof Step, tolerance: number) => {
			if (want[name] === undefined) return;
			if (step[name] === undefined || Math.abs(step[name] - want[name]) > tolerance) {
				found.push(`step ${index + 1} ${name} ${step[name]} for ${want[name]}`);
			}
		};
		off('count', 0);
		off('interaction_duration', DURATION_TOLERANCE);
		off('conversion', 0);
		off('amount', AMOUNT_TOLERANCE);
	}
	return found;
}

if (DATASETS_DIR === undefined) {
	test.skip('real data sets, posted and asked through the API: DATASETS_DIR is not set', () => {});
} else {
	test.before(async t => {
		t.context.service = await startTestService();
	});
	test.after.always(t => t.context.service?.stop());

	for (const set of ['storefront', 'marketplace']) {
		test.serial(`${set}: posted through the API, every funnel has the published answer`, async t => {
			const {service} = t.context;
			const organisation = service.organisationId;
			const datamart = await service.post('/v1/datamarts', {
				name: set,
				organisation_id: organisation,
				time_zone: 'UTC',
			});
			const path = `/v1/datamarts/${datamart.body.data.id}`;
			const text = gunzipSync(readFileSync(join(DATASETS_DIR, set, 'activities.ndjson.gz'))).toString('utf8');
			const lines = text.trim().split('\n');
			for (let at = 0; at < lines.length; at += 1000) {
				const last = at + 1000 >= lines.length;
				const {status, body} = await service.post(
					`${path}/user_activities${last ? '?async=false' : ''}`,
					lines.slice(at, at + 1000).join('\n'),
					{'content-type': 'application/x-ndjson'},
				);
				t.is(status, 200);
				t.true(body.data.records.every((record: {result: string}) => record.result === 'accepted'));
			}

			const questions: Question[] = JSON.parse(readFileSync(join(DATASETS_DIR, set, 'funnels.json'), 'utf8'));
			t.true(questions.length > 0);
			for (const {title, request, expected} of questions) {
				const {status, body} = await service.post(`${path}/user_analytics_funnel`, request);
				t.is(status, 200, `${title}: ${JSON.stringify(body)}`);
				t.deepEqual(differences(body.data.global, expected.global), [], title);
				const groups = expected.grouped_by ?? [];
				t.deepEqual(
					body.data.grouped_by.map((group: {dimension_values: unknown[]}) => group.dimension_values),
					groups.map(group => group.dimension_values),
					title,
				);
				for (const [index, group] of groups.entries()) {
					t.deepEqual(
						differences(body.data.grouped_by[index].funnel, group.funnel),
						[],
						`${title}: ${group.dimension_values}`,
					);
				}
			}
		});
	}
}
