/**
 * Makes a plugin of one of the kinds here, tells Millrace where its worker will listen, puts it to use, and prints how to
 * start it. A worker cannot start before: it needs the credentials that come with this.
 *
 *   node docs/examples/register.js activity-analyzer --email admin@localhost --password ... [--port 8081] [--url http://127.0.0.1:8080]
 *
 * Millrace calls private addresses such as 127.0.0.1 only where PLUGIN_WORKER_ALLOWED_NETWORKS lists them:
 *   PLUGIN_WORKER_ALLOWED_NETWORKS=127.0.0.0/8 npm start
 */
import {parseArgs} from 'node:util';

const KINDS = {
	'activity-analyzer': 'ACTIVITY_ANALYZER',
	'email-renderer': 'EMAIL_TEMPLATE_RENDERER',
	'email-router': 'EMAIL_ROUTER',
};

const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {
		email: {type: 'string', default: 'admin@localhost'},
		password: {type: 'string', default: ''},
		port: {type: 'string', default: '8081'},
		url: {type: 'string', default: 'http://127.0.0.1:8080'},
		strategy: {type: 'string', default: 'STORE_WITH_ERROR_ID'},
	},
});
const [kind] = positionals;
if (!KINDS[kind]) {
	process.stderr.write(`which kind? ${Object.keys(KINDS).join(', ')}\n`);
	process.exit(2);
}

let accessToken;
async function call(method, path, body) {
	const answer = await fetch(values.url + path, {
		method,
		headers: {'content-type': 'application/json', ...(accessToken && {authorization: accessToken})},
		...(body && {body: JSON.stringify(body)}),
	});
	const told = await answer.json();
	if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${told.error}`);
	return told.data;
}

/** A text of the plugin that every instance may set for itself. */
function property(technicalName, value) {
	return {
		technical_name: technicalName,
		property_type: 'STRING',
		value: {value},
		origin: 'PLUGIN',
		writable: true,
		deletable: false,
	};
}

const {email, password} = values;
accessToken = (await call('POST', '/v1/authentication/access_tokens', {email, password})).access_token;
const [workspace] = (await call('GET', '/v1/connected_user')).workspaces;
const organisation = workspace.organisation_id;

const names = {group_id: `org.example.${kind}`, artifact_id: `example-${kind}-${Date.now().toString(36)}`};
const plugin = await call('POST', '/v1/plugins', {
	plugin_type: KINDS[kind],
	organisation_id: organisation,
	...names,
});
const version = await call('POST', `/v1/plugins/${plugin.id}/versions`, {
	version_id: '1.0.0',
	plugin_properties: [property('provider', 'an example'), property('name', kind)],
});
const worker = await call('PUT', `/v1/plugins/${plugin.id}/versions/${version.id}/worker`, {
	url: `http://127.0.0.1:${values.port}`,
});
const gateway = new URL(values.url);
const environment = {
	PLUGIN_WORKER_ID: worker.worker_id,
	PLUGIN_AUTHENTICATION_TOKEN: worker.authentication_token,
	PLUGIN_PORT: values.port,
	GATEWAY_HOST: gateway.hostname,
	GATEWAY_PORT: gateway.port,
};
const set = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
process.stdout.write(
	`plugin ${plugin.id}, version ${version.id}, ${await putToUse()}\n` +
		`start its worker:\n  ${set.join(' ')} node docs/examples/${kind}.js\n`,
);

async function putToUse() {
	const instance = {name: `example ${kind}`, organisation_id: organisation, ...names, version_id: version.id};
	if (kind === 'email-router') {
		const router = await call('POST', `/v1/email_routers?organisation_id=${organisation}`, instance);
		return `email router ${router.id}`;
	}
	if (kind === 'email-renderer') {
		const template = await call('POST', '/v1/email_templates', {
			type: 'EMAIL_TEMPLATE',
			organisation_id: organisation,
			name: 'example template',
			renderer_group_id: names.group_id,
			renderer_artifact_id: names.artifact_id,
		});
		return `email template ${template.id}`;
	}
	const analyzer = await call('POST', `/v1/visit_analyzer_models?organisation_id=${organisation}`, {
		...instance,
		visit_analyzer_plugin_id: plugin.id,
		error_recovery_strategy: values.strategy,
	});
	const datamart = workspace.datamarts[0].id;
	const [channel] = await call('GET', `/v1/datamarts/${datamart}/channels`);
	await call('POST', `/v1/channels/${channel.id}/visit_analyzer_models`, {
		channel_id: channel.id,
		visit_analyzer_model_id: analyzer.id,
	});
	return `activity analyzer ${analyzer.id} on channel ${channel.id} of datamart ${datamart}`;
}
