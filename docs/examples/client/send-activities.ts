/**
 * Sends what people did, and tells what became of each activity.
 *
 *   npx tsx send-activities.ts --datamart 1 --token api:... [--url http://127.0.0.1:8080]
 */
import {parseArgs} from 'node:util';
import {type Activity, MillraceClient} from 'millrace/client';

const {values} = parseArgs({
	options: {
		url: {type: 'string', default: 'http://127.0.0.1:8080'},
		token: {type: 'string', default: ''},
		datamart: {type: 'string', default: '1'},
	},
});
const client = new MillraceClient({url: values.url, token: values.token});

/** Whatever yields activities will do: an array, a database's cursor, lines of a file. */
function* visits(): Generator<Activity> {
	const now = Date.now();
	for (const [visitor, names] of Object.entries({
		'vec:ann': ['$item_view', '$transaction_confirmed'],
		'vec:bob': ['$item_view'],
	})) {
		yield {
			$type: 'SITE_VISIT',
			$ts: now - 60_000,
			$user_identifiers: [{$type: 'USER_AGENT', $user_agent_id: visitor}],
			$events: names.map(($event_name, index) => ({
				$event_name,
				$ts: now - 60_000 + index * 1000,
				$properties: {$items: [{$product_id: 'tent', $price: 349, $qty: 1}]},
			})),
		};
	}
	// An identifier that identifies nobody is refused; the others are taken nevertheless.
	yield {$type: 'SITE_VISIT', $user_agent_id: 'null'};
}

const {accepted, duplicates, rejected, records} = await client.sendActivities(values.datamart, visits(), {
	// The same name again, and what was stored already is known: a job that was cut off may simply be run again.
	runKey: `visits of ${new Date().toISOString().slice(0, 13)}`,
	untilQueryable: true,
});
process.stdout.write(`${accepted} accepted, ${duplicates} duplicate, ${rejected} rejected\n`);
for (const record of records) {
	if (record.result !== 'rejected') continue;
	const {errorCode, faults} = record.error;
	const where = faults.map(({pointer, message}) => `${pointer} ${message}`).join('; ');
	process.stdout.write(`activity ${record.index}: ${errorCode}: ${where}\n`);
}
