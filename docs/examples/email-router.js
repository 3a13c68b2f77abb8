/** An email router that prints what it would hand to a provider. */
import {propertiesOf, startPluginWorker} from './plugin-worker.js';

startPluginWorker({
	/** Asked before anything is rendered: whether the person can be written to at all. */
	async '/v1/email_router_check'({user_identifiers: identifiers}) {
		return {result: addressOf(identifiers) !== undefined};
	},
	async '/v1/email_routing'({
		email_router_id: id,
		user_identifiers: identifiers,
		meta,
		content,
		call_id,
		context,
	}) {
		const {provider = 'nobody'} = await propertiesOf(`/v1/email_routers/${id}/properties`);
		const to = meta?.to_email ?? addressOf(identifiers);
		if (!to) return {result: false};
		const told = {provider, context, call_id, to, subject: meta?.subject_line, text: content?.text};
		process.stdout.write(`${JSON.stringify(told)}\n`);
		return {result: true};
	},
});

function addressOf(identifiers = []) {
	return identifiers.find(identifier => identifier.type === 'USER_EMAIL')?.email;
}
