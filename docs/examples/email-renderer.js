/** An email template renderer: a greeting and one link that is counted, in HTML and in plain text. */
import {propertiesOf, startPluginWorker} from './plugin-worker.js';

startPluginWorker({
	async '/v1/email_contents'({
		creative_id: id,
		context,
		user_data_bag: person,
		click_urls: urls,
		email_tracking_url,
	}) {
		// While somebody edits the template, a preview shows the last change.
		const fresh = context === 'PREVIEW' || context === 'STAGE';
		const path = `/v1/creatives/${id}/renderer_properties?force-reload=${fresh}`;
		const properties = await propertiesOf(path, {fresh});
		const {destination = 'https://example.org/', subject = 'News', sender = 'Example'} = properties;
		const link = counted(urls ?? [], destination);
		const greeting = `Hello ${person?.first_name ?? 'there'}`;
		const pixel = email_tracking_url
			? `<img src="${inHtml(email_tracking_url)}" width="1" height="1" alt="">`
			: '';
		return {
			meta: {from_name: sender, subject_line: subject},
			content: {
				html: `<p>${inHtml(greeting)}, <a href="${inHtml(link)}">have a look</a>.</p>${pixel}`,
				text: `${greeting}, have a look: ${link}`,
			},
			data: {},
		};
	},
});

/** prefix1 + encode(prefix2 + encode(destination)) */
function counted(prefixes, destination) {
	return prefixes.reduceRight((url, prefix) => prefix + encodeURIComponent(url), destination);
}

function inHtml(text) {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
