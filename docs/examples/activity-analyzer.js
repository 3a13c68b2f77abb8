/**
 * An activity analyzer: says of each visit whether somebody bought, and cuts tracking parameters off pages' addresses.
 * What it must leave alone are the identifiers: an answer that changes them is thrown away.
 */
import {propertiesOf, startPluginWorker} from './plugin-worker.js';

startPluginWorker({
	async '/v1/activity_analysis'({activity_analyzer_id: id, activity}) {
		const {bought_topic: topic = 'bought'} = await propertiesOf(`/v1/activity_analyzers/${id}/properties`);
		const events = activity.$events ?? [];
		const bought = events.some(event => event.$event_name === '$transaction_confirmed');
		return {
			status: 'ok',
			data: {
				...activity,
				$events: events.map(withoutTracking),
				$topics: {...activity.$topics, [topic]: {[bought ? 'yes' : 'no']: 1}},
			},
		};
	},
});

function withoutTracking(event) {
	const url = event.$properties?.$url;
	if (typeof url !== 'string' || !URL.canParse(url)) return event;
	const clean = new URL(url);
	for (const name of [...clean.searchParams.keys()]) {
		if (name.startsWith('utm_') || name === 'gclid') clean.searchParams.delete(name);
	}
	return {...event, $properties: {...event.$properties, $url: clean.href}};
}
