/**
 * The back end of a mobile app: keeps the secret of a message authentication key, and signs what the app is about to send.
 * The app then calls Millrace by itself; neither the secret nor a token ever leaves this process.
 *
 *   npx tsx sign-for-an-app.ts --new-key my-app --token api:...   once: prints the key, whose secret is shown once
 *   npx tsx sign-for-an-app.ts --key-id my-app --secret-key ... --datamart 1 [--url http://127.0.0.1:8080]
 */
import {parseArgs} from 'node:util';
import {MillraceClient, signatureHeaders} from 'millrace/client';

const {values} = parseArgs({
	options: {
		url: {type: 'string', default: 'http://127.0.0.1:8080'},
		token: {type: 'string', default: ''},
		datamart: {type: 'string', default: '1'},
		'new-key': {type: 'string'},
		'key-id': {type: 'string', default: ''},
		'secret-key': {type: 'string', default: ''},
	},
});

if (values['new-key'] !== undefined) {
	const client = new MillraceClient({url: values.url, token: values.token});
	const {id: userId} = await client.get('/v1/connected_user');
	const key = await client.post('/v1/users/{userId}/message_authentication_keys', {
		path: {userId},
		body: {scheme: 'HMAC_SHA256', key_id: values['new-key']},
	});
	process.stdout.write(`--key-id ${key.key_id} --secret-key ${key.secret_key}\n`);
} else {
	const signingKey = {keyId: values['key-id'], secretKey: values['secret-key']};

	// What the back end answers to its app, which has shown who it is in whatever way the two agree on.
	const path = `/v1/datamarts/${values.datamart}/user_activities`;
	const body = JSON.stringify({
		$type: 'APP_VISIT',
		$user_agent_id: 'vec:42',
		$events: [{$event_name: '$app_open'}],
	});
	const headers = await signatureHeaders(signingKey, {path, body});

	// What the app does with it: these bytes, to this path, within five minutes.
	const answer = await fetch(values.url + path, {
		method: 'POST',
		headers: {...headers, 'content-type': 'application/json'},
		body,
	});
	process.stdout.write(`the app's call: ${answer.status}\n`);

	// A back end that sends by itself needs no token either.
	const server = new MillraceClient({url: values.url, signingKey});
	const {accepted} = await server.sendActivities(values.datamart, [
		{$type: 'APP_VISIT', $user_agent_id: 'vec:42', $events: [{$event_name: '$app_open'}]},
	]);
	process.stdout.write(`the back end's own: ${accepted} accepted\n`);
}
