import {readFileSync} from 'node:fs';
import test from 'ava';
import {projectFile} from '../../src/lib/project.ts';
import {DIMENSIONS, dimensionsFor, findDimension} from '../../src/query/dimensions.ts';
import {findMetric, METRICS} from '../../src/query/metrics.ts';

const FUNNEL_NAMES =
	'DATE_TIME TYPE ORIGIN_SUB_CAMPAIGN_ID BRAND CHANNEL_ID ORIGIN_CAMPAIGN_ID CATEGORY1 CATEGORY2 CATEGORY3 CATEGORY4 ORIGIN_CREATIVE_ID DEVICE_BRAND DEVICE_BROWSER_FAMILY DEVICE_CARRIER DEVICE_FORM_FACTOR DEVICE_MODEL DEVICE_OS_FAMILY HAS_CONVERSION HAS_CLICKED HAS_BOUNCED EVENT_TYPE SEGMENT_ID CAMPAIGN_ID GOAL_ID PRODUCT_ID'.split(
		' ',
	);

test('every dimension of the specification is known, and filters a funnel unless it is a time', t => {
	for (const name of FUNNEL_NAMES) t.truthy(findDimension(name), name);
	const filters = dimensionsFor('funnel_filter').map(each => each.name);
	t.deepEqual(filters.toSorted(), FUNNEL_NAMES.filter(name => name !== 'DATE_TIME').toSorted());
});

test('a dimension is found by its name in any case', t => {
	t.is(findDimension('channel_id'), findDimension('CHANNEL_ID'));
	t.is(findDimension('constructor'), undefined);
});

test('every column of the catalogue is one of the fact table, kept as the catalogue says', t => {
	const schema = readFileSync(projectFile('sql/clickhouse/schema/001_fact_rows_v1.sql'), 'utf8');
	for (const {name, kind, column} of DIMENSIONS.filter(each => each.column !== '')) {
		const type = schema.match(new RegExp(`^    ${column} (\\S+)`, 'm'))?.[1];
		t.is(type?.startsWith('Array('), kind === 'multi', name);
	}
});

test('what stands in the catalogue has a name of its own, a label and a description, and is used somewhere', t => {
	t.deepEqual(
		[...new Set(DIMENSIONS.map(each => each.name))],
		DIMENSIONS.map(each => each.name),
	);
	t.deepEqual(
		[...new Set(METRICS.map(each => each.name))],
		METRICS.map(each => each.name),
	);
	for (const {name, label, description, uses} of DIMENSIONS) {
		t.is(name, name.toUpperCase());
		t.true(label.length > 2 && description.length > 2 && uses.length > 0, name);
	}
	for (const {name, label, description} of METRICS) {
		t.is(name, name.toLowerCase());
		t.true(label.length > 2 && description.length > 2, name);
		t.is(findMetric(name.toUpperCase())?.name, name);
	}
	t.is(findMetric('toString'), undefined);
});

test('a report takes every dimension a funnel takes', t => {
	const ofReports = new Set(dimensionsFor('activity_report'));
	for (const use of ['funnel_filter', 'funnel_split'] as const) {
		for (const each of dimensionsFor(use)) t.true(ofReports.has(each), each.name);
	}
});
