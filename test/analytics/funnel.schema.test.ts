import test from 'ava';
import {FunnelRequest} from '../../src/analytics/funnel/funnel.schema.ts';
import {DomainError} from '../../src/errors.ts';
import {parseWith} from '../../src/validation.ts';
import {body, step} from '../support/funnel.ts';

/** Code and pointers of the refusal. */
function refusal(request: unknown): {code: string; pointers: string[]; message: string} | undefined {
	try {
		parseWith(FunnelRequest, request);
		return undefined;
	} catch (error) {
		if (!(error instanceof DomainError)) throw error;
		return {code: error.code, pointers: error.faults.map(fault => fault.pointer), message: error.message};
	}
}

const filtered = (filter: object) =>
	body([
		{
			name: 'one',
			filter_clause: {
				operator: 'AND',
				filters: [{dimension_name: 'TYPE', operator: 'EXACT', expressions: ['x'], ...filter}],
			},
		},
	]);

test('what a field client sends is understood: ids, nulls, numbers, names in any case, older spellings', t => {
	const request = FunnelRequest.parse({
		for: [
			{
				id: 'cjld2cjxh0000',
				name: 'Visit',
				filterClause: {
					operator: 'OR',
					filters: [
						{
							id: 'x',
							dimension_name: 'channel_id',
							not: null,
							operator: 'IN_LIST',
							expressions: [7, '8'],
							case_sensitive: null,
						},
					],
				},
				group_by_dimension: 'channel_id',
				group_by_dimensions: null,
				max_days_after_previous_step: null,
			},
			{name: null, filter_clause: {operator: 'AND', filters: []}, max_days_after_previous_step: 0.3},
		],
		in: {type: 'WINDOW', unit: 'DAY', offset: 7, more: true},
		number_of_parts_to_split_on: 10,
		limit: null,
		sample_factor: 1,
		time_to_convert: false,
	});

	t.like(request.steps[0], {name: 'Visit', windowMs: undefined, clause: {operator: 'OR'}});
	t.like(request.steps[0]?.clause.filters[0], {expressions: ['7', '8'], not: false, caseSensitive: true});
	t.deepEqual(
		request.steps[0]?.splitBy.map(split => split.name),
		['channel_id'],
	);
	t.is(request.steps[1]?.windowMs, 25_920_000, '0.3 days, whatever binary fractions say');
	t.is(request.maxGroups, 10);
});

test('one to 32 steps', t => {
	t.is(refusal(body([]))?.code, 'steps_missing');
	t.is(refusal({...body([]), for: null})?.code, 'steps_missing');
	t.is(refusal(body(Array(33).fill('view')))?.code, 'steps_excessive');
	t.is(refusal(body(Array(32).fill('view'))), undefined);
});

test('what is unknown or missing in a filter is named, with its code and place', t => {
	const at = '/for/0/filter_clause/filters/0';
	t.like(refusal(filtered({dimension_name: 'COLOUR'})), {
		code: 'dimension_unknown',
		pointers: [`${at}/dimension_name`],
	});
	t.regex(refusal(filtered({dimension_name: 'COLOUR'}))?.message ?? '', /COLOUR/);
	t.like(refusal(filtered({dimension_name: 'date_time'})), {code: 'dimension_unknown'});
	t.like(refusal(filtered({dimension_name: 'DATE_YYYY_MM_DD'})), {code: 'dimension_unknown'});
	t.like(refusal(filtered({operator: 'NEAR'})), {code: 'operator_unknown', pointers: [`${at}/operator`]});
	t.like(refusal(filtered({expressions: []})), {
		code: 'expressions_missing',
		pointers: [`${at}/expressions`],
	});
	t.like(refusal(filtered({expressions: null})), {code: 'expressions_missing'});
	t.like(refusal(filtered({expressions: [null]})), {code: 'field_invalid'});
	t.like(refusal(body([{name: 'x', filter_clause: {operator: 'XOR', filters: []}}])), {
		code: 'operator_unknown',
	});
	t.like(refusal(body([step('x', {group_by_dimensions: ['SEGMENT_ID']})])), {
		code: 'dimension_unknown',
		pointers: ['/for/0/group_by_dimensions/0'],
	});
});

test('a period that ends before it starts is refused, an empty one is not', t => {
	const dates = (start_date: string, end_date: string) =>
		body(['x'], {in: {type: 'DATES', start_date, end_date}});
	t.like(refusal(dates('2026-03-02', '2026-03-01')), {
		code: 'date_range_inverted',
		pointers: ['/in/end_date'],
	});
	t.is(refusal(dates('2026-03-02', '2026-03-02')), undefined);
	t.like(refusal(dates('2026-02-30', '2026-03-02')), {code: 'field_invalid', pointers: ['/in/start_date']});
	t.like(refusal(body(['x'], {in: {type: 'FOREVER'}})), {code: 'field_invalid'});
	t.like(refusal(body(['x'], {in: {type: 'WINDOW', unit: 'DAY', offset: 0}})), {code: 'field_invalid'});
});

test('a holding dimension, times and a sample are asked for by name, and null asks for none', t => {
	t.like(
		FunnelRequest.parse(body(['x'], {holding_dimension: 'brand', time_to_convert: true, sample_factor: 0.1})),
		{
			holding: {name: 'brand', dimension: {name: 'BRAND'}},
			timeToConvert: true,
			sampleFactor: 0.1,
		},
	);
	const none = {holding: undefined, timeToConvert: false, sampleFactor: 1, asOf: undefined};
	const nothing = {holding_dimension: null, time_to_convert: null, sample_factor: null, as_of: null};
	t.like(FunnelRequest.parse(body(['x'], nothing)), none);
	t.like(FunnelRequest.parse(body(['x'], {holding_dimension: '', sample_factor: 1})), none);
});

test('what would change the answer and is not understood is refused, never answered without', t => {
	for (const [name, value, code] of [
		['holding_dimension', 'COLOUR', 'dimension_unknown'],
		['holding_dimension', 'segment_id', 'dimension_unknown'],
		['holding_dimension', 3, 'field_invalid'],
		['time_to_convert', 'yes', 'field_invalid'],
		['sample_factor', 0, 'field_invalid'],
		['sample_factor', 1.5, 'field_invalid'],
		['sample_factor', '0.1', 'field_invalid'],
		['as_of', 'yesterday', 'field_invalid'],
	] as const) {
		t.like(refusal(body(['x'], {[name]: value})), {code, pointers: [`/${name}`]}, `${name} ${value}`);
	}
	t.regex(
		refusal(body(['x'], {holding_dimension: 'segment_id'}))?.message ?? '',
		/SEGMENT_ID cannot be used as a holding dimension/,
	);
	const exclusions = [{after_step: 1, filter_clause: null}];
	t.like(refusal(body(['x'], {exclusions})), {code: 'field_invalid', pointers: ['/exclusions/0/after_step']});
	t.is(refusal(body(['x', 'y'], {exclusions})), undefined);
	t.like(refusal(body([step('x', {max_days_after_previous_step: -1})])), {code: 'field_invalid'});
});
