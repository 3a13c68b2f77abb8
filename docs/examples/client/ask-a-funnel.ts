/**
 * Asks how many people looked at an item and then bought, by device.
 *
 *   npx tsx ask-a-funnel.ts --datamart 1 --token api:... [--url http://127.0.0.1:8080]
 */
import {parseArgs} from 'node:util';
import {MillraceClient, RefusedError} from 'millrace/client';

const {values} = parseArgs({
	options: {
		url: {type: 'string', default: 'http://127.0.0.1:8080'},
		token: {type: 'string', default: ''},
		datamart: {type: 'string', default: '1'},
	},
});
const client = new MillraceClient({url: values.url, token: values.token});

const step = (name: string, event: string) => ({
	name,
	filter_clause: {
		operator: 'AND',
		filters: [{dimension_name: 'EVENT_TYPE', operator: 'EXACT', expressions: [event]}],
	},
});

try {
	const {global, grouped_by} = await client.post('/v1/datamarts/{datamartId}/user_analytics_funnel', {
		path: {datamartId: values.datamart},
		body: {
			for: [
				{...step('looked', '$item_view'), group_by_dimensions: ['DEVICE_FORM_FACTOR']},
				step('bought', '$transaction_confirmed'),
			],
			in: {type: 'WINDOW', unit: 'DAY', offset: 7},
		},
	});
	for (const {name, count, amount} of global.steps) {
		process.stdout.write(`${name}: ${count} of ${global.total}${amount ? `, for ${amount}` : ''}\n`);
	}
	for (const {
		dimension_values: [device],
		funnel,
	} of grouped_by) {
		const counts = funnel.steps.map(({name, count}) => `${name} ${count}`).join(', ');
		process.stdout.write(`  ${device ?? 'unknown device'}: ${counts}\n`);
	}
} catch (error) {
	if (!(error instanceof RefusedError)) throw error;
	// The id is how the service's log knows this very question.
	process.stderr.write(`${error.message} (error id ${error.errorId}) ${error.pointers.join(' ')}\n`);
	process.exitCode = 1;
}
