/**
 * Lists who looked at an item and did not buy, for a call back.
 *
 *   npx tsx user-points-of-a-step.ts --datamart 1 --token api:... [--url http://127.0.0.1:8080]
 */
import {parseArgs} from 'node:util';
import {MillraceClient, type UserPointsQuestion} from 'millrace/client';

const {values} = parseArgs({
	options: {
		url: {type: 'string', default: 'http://127.0.0.1:8080'},
		token: {type: 'string', default: ''},
		datamart: {type: 'string', default: '1'},
	},
});
const client = new MillraceClient({url: values.url, token: values.token});

const question: UserPointsQuestion = {
	for: ['$item_view', '$transaction_confirmed'].map(event => ({
		name: event,
		filter_clause: {
			operator: 'AND',
			filters: [{dimension_name: 'EVENT_TYPE', operator: 'EXACT', expressions: [event]}],
		},
	})),
	in: {type: 'WINDOW', unit: 'DAY', offset: 7},
	step: '$transaction_confirmed',
	lost: true,
};

// Pages are asked for as they are read, all as of the moment the first was: as many as the funnel counts.
let listed = 0;
for await (const {user_point_id, ts} of client.eachUserPoint(values.datamart, question)) {
	process.stdout.write(`${user_point_id} looked at ${new Date(ts ?? 0).toISOString()}\n`);
	listed++;
}
process.stdout.write(`${listed} listed\n`);
