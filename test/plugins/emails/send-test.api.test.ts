import {createHash} from 'node:crypto';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import anyTest, {type TestFn} from 'ava';
import {clickUrl} from '../../../src/plugins/emails/click-urls.ts';
import {makeEmails} from '../../support/emails.ts';
import {type PluginWorkerDouble, startPluginWorker} from '../../support/plugin-worker.ts';
import {data, LOCAL_WORKERS} from '../../support/plugins.ts';
import {startTestService, type TestService} from '../../support/service.ts';

const test = anyTest as TestFn<TestService>;

test.before(async t => {
	t.context = await startTestService(LOCAL_WORKERS);
});
test.after.always(async t => t.context?.stop?.());

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was sent.
type Json = any;

/** A renderer and a router as built on the published SDK; what each was asked is kept. */
async function sdkWorkers(service: TestService, closing: (close: () => Promise<void>) => void) {
	const rendered: Json[] = [];
	const routed: Json[] = [];
	let gateway = service.url;
	const renderer = await startPluginWorker({
		get gateway() {
			return gateway;
		},
		render(request, {instance, properties}) {
			rendered.push(request);
			const person = request.user_identifiers.find((each: Json) => each.type === 'USER_EMAIL');
			const link = clickUrl(request.click_urls, 'https://shop.example/');
			return {
				meta: {
					from_name: instance.name,
					to_email: person.email,
					subject_line: properties.get('field').value.value,
				},
				content: {
					html: `<a href="${link}">Hello ${request.user_data_bag.first_name ?? 'there'}</a>`,
					text: link,
				},
				data: {template: request.creative_id, nested: {list: [1, null]}},
			};
		},
	});
	const router = await startPluginWorker({
		get gateway() {
			return gateway;
		},
		route(request, {properties}) {
			routed.push({...request, provider: properties.get('provider').value.value});
			return {result: true};
		},
	});
	closing(() => renderer.close());
	closing(() => router.close());
	const emails = await makeEmails(service, service.organisationId, {
		renderer: renderer.url,
		router: router.url,
	});
	renderer.comeUp(emails.rendererWorker);
	router.comeUp(emails.routerWorker);
	const moveTo = (url: string) => {
		gateway = url;
	};
	return {...emails, rendererDouble: renderer, routerDouble: router, rendered, routed, moveTo};
}

const countOf = (worker: PluginWorkerDouble, query: string) =>
	worker.asked.filter(path => path.startsWith('/v1/creatives/') && path.endsWith(query)).length;

test('a test email passes plugin workers built on the published SDK, each told all that is known', async t => {
	const service = t.context;
	const {template, routerId, path, rendered, routed, ...doubles} = await sdkWorkers(service, t.teardown);
	const answer = data(
		await service.post(path, {
			organisation_id: service.organisationId,
			email: ' Ann@Example.org ',
			email_router_id: Number(routerId),
			campaign_id: 12,
			campaign_technical_name: 'summer',
			blast_id: '34',
			user_data_bag: {first_name: 'Ann'},
			click_urls: ['https://one.example/?to=', 'https://two.example/?to='],
			email_tracking_url: 'https://one.example/open.gif',
		}),
	);
	const {call_id} = answer;
	t.deepEqual(answer, {
		call_id,
		result: true,
		refused_by: null,
		context: 'STAGE',
		organisation_id: service.organisationId,
		email_template_id: template.id,
		email_renderer_id: template.email_renderer_id,
		email_router_id: routerId,
		datamart_id: service.datamartId,
	});

	const [asked] = rendered;
	const hash = createHash('sha256').update('ann@example.org').digest('hex');
	const [person, ...others] = asked.user_identifiers;
	t.like(person, {type: 'USER_EMAIL', email: 'Ann@Example.org', hash, providers: []});
	t.deepEqual(others, []);
	t.deepEqual(
		{...asked, user_identifiers: []},
		{
			email_renderer_id: template.email_renderer_id,
			call_id,
			context: 'STAGE',
			creative_id: template.id,
			campaign_id: '12',
			campaign_technical_name: 'summer',
			user_identifiers: [],
			user_data_bag: {first_name: 'Ann'},
			click_urls: ['https://one.example/?to=', 'https://two.example/?to='],
			email_tracking_url: 'https://one.example/open.gif',
			meta: {
				from_email: '',
				from_name: '',
				to_email: 'Ann@Example.org',
				to_name: '',
				reply_to: '',
				subject_line: '',
			},
			content: {html: '', text: ''},
			data: {},
		},
	);
	const link =
		'https://one.example/?to=https%3A%2F%2Ftwo.example%2F%3Fto%3Dhttps%253A%252F%252Fshop.example%252F';
	t.deepEqual(routed, [
		{
			email_router_id: routerId,
			call_id,
			context: 'STAGE',
			creative_id: template.id,
			campaign_id: '12',
			blast_id: '34',
			datamart_id: service.datamartId,
			user_identifiers: asked.user_identifiers,
			meta: {from_name: 'welcome', to_email: 'Ann@Example.org', subject_line: 'page'},
			content: {html: `<a href="${link}">Hello Ann</a>`, text: link},
			data: {template: template.id, nested: {list: [1, null]}},
			provider: 'Example',
		},
	]);

	// The trail tells that it was, and not to whom.
	const trail = await service.get(
		`/v1/organisations/${service.organisationId}/audit_events?event=email_test_sent`,
	);
	const entry = trail.body.data.find((each: Json) => each.details.call_id === call_id);
	t.like(entry, {
		event: 'email_test_sent',
		resource_id: template.id,
		organisation_id: service.organisationId,
	});
	t.false(JSON.stringify(entry).toLowerCase().includes('ann@'));
	t.is(doubles.rendererDouble.asked.length, 2);
});

test('STAGE and PREVIEW show a template as it is now, LIVE as the renderer keeps it', async t => {
	const service = t.context;
	const {template, routerId, path, routed, rendererDouble} = await sdkWorkers(service, t.teardown);
	const subject = async (context?: string) => {
		const sent = data(
			await service.post(path, {email: 'ann@example.org', email_router_id: routerId, context}),
		);
		t.like(sent, {result: true, context: context ?? 'STAGE'});
		t.is(routed.at(-1).context, context ?? 'STAGE');
		return routed.at(-1).meta.subject_line;
	};
	t.is(await subject('LIVE'), 'page');
	const property = `/v1/email_templates/${template.id}/renderer_properties/technical_name=field`;
	data(await service.request('PUT', property, {value: {value: 'edited'}}));
	t.is(await subject('LIVE'), 'page');
	t.is(countOf(rendererDouble, '?force-reload=true'), 0);
	t.is(await subject(), 'edited');
	t.is(await subject('PREVIEW'), 'edited');
	t.is(countOf(rendererDouble, '?force-reload=true'), 4);
});

test('bounces that an email router learns of are stored, and only in its own organisation', async t => {
	const service = t.context;
	const {template, routerId, path, routed, routerDouble} = await sdkWorkers(service, t.teardown);
	data(await service.post(path, {email: 'bounce@example.org', email_router_id: routerId}));
	const [{user_identifiers, datamart_id, campaign_id, creative_id}] = routed;
	const [{hash}] = user_identifiers;
	const bounce = {
		$type: 'EMAIL',
		$source: 'API',
		$email_hash: {$hash: hash},
		$datamart_id: datamart_id,
		$ts: Date.now(),
		$events: [{$event_name: '$email_hard_bounce', $ts: Date.now(), $properties: {$delivery_id: 'd-1'}}],
		$origin: {$ts: Date.now(), $campaign_id: campaign_id || null, $creative_id: creative_id},
	};
	const report = (datamartId: string) =>
		routerDouble.ask(`/v1/datamarts/${datamartId}/user_activities?async=false`, {
			method: 'POST',
			body: JSON.stringify(bounce),
			headers: {'content-type': 'application/json'},
		});
	t.is((await report(datamart_id)).status, 200);
	const timeline = `/v1/datamarts/${datamart_id}/user_timelines/email_hash=${hash}/user_activities`;
	const stored = (await service.get(timeline)).body.data;
	t.is(stored.length, 1);
	t.like(stored[0], {$type: 'EMAIL', $email_hash: {$hash: hash}, $origin: {$creative_id: template.id}});
	t.like(stored[0].$events[0], {$event_name: '$email_hard_bounce', $properties: {$delivery_id: 'd-1'}});
	t.is((await report('987654')).status, 404);
});

test('after a restart a template is sent through the same workers with the credentials they have', async t => {
	const directory = mkdtempSync(join(tmpdir(), 'millrace-emails-'));
	t.teardown(() => rmSync(directory, {recursive: true, force: true}));
	const first = await startTestService(LOCAL_WORKERS, directory);
	const {routerId, path, routed, moveTo} = await sdkWorkers(first, t.teardown).finally(() => first.stop());
	const second = await startTestService(LOCAL_WORKERS, directory);
	t.teardown(() => second.stop());
	moveTo(second.url);
	t.like(data(await second.post(path, {email: 'ann@example.org'})), {
		result: true,
		email_router_id: routerId,
	});
	t.like(routed[0], {provider: 'Example', meta: {subject_line: 'page'}});
	const trail = await second.get(
		`/v1/organisations/${second.organisationId}/audit_events?event=email_test_sent`,
	);
	t.is(trail.body.total, 1);
});
