import anyTest, {type ExecutionContext, type TestFn} from 'ava';
import {
	type Answering,
	cutShort,
	hang,
	send,
	startAnalyzerWorker,
	status,
} from '../../support/analyzer-worker.ts';
import {makeEmails} from '../../support/emails.ts';
import {data, LOCAL_WORKERS, makePlugin} from '../../support/plugins.ts';
import {startTestService, type TestService} from '../../support/service.ts';
import {colleagueOf, strangerTo, suborganisationOf} from '../../support/stranger.ts';

const test = anyTest as TestFn<TestService>;

test.before(async t => {
	t.context = await startTestService(LOCAL_WORKERS);
});
test.after.always(async t => t.context?.stop?.());

const STEPS = ['email_router_check', 'email_contents', 'email_routing'] as const;
type Step = (typeof STEPS)[number];

const json =
	(body: unknown): Answering =>
	(_, response) =>
		send(response, 200, body);

const GOOD: Readonly<Record<Step, Answering>> = {
	email_router_check: json({result: true}),
	email_contents: json({meta: {subject_line: 'Hello'}, content: {html: '<p>', text: null}, data: null}),
	email_routing: json({result: true}),
};

/** Plugin workers of both kinds at one address, which answer as the given steps say and well otherwise. */
async function scripted(t: ExecutionContext<TestService>) {
	const worker = await startAnalyzerWorker();
	t.teardown(() => worker.close());
	const emails = await makeEmails(t.context, t.context.organisationId, {
		renderer: worker.url,
		router: worker.url,
	});
	let before = 0;
	const sendTest = async (answers: Partial<Record<Step, Answering>>, body: object = {}) => {
		worker.answer((request, response) => {
			const step = request.path.slice('/v1/'.length) as Step;
			return (answers[step] ?? GOOD[step])(request, response);
		});
		before = worker.requests.length;
		return t.context.post(emails.path, {email: 'ann@example.org', email_router_id: emails.routerId, ...body});
	};
	const asked = () => worker.requests.slice(before).map(({path}) => path.slice('/v1/'.length));
	const last = () => worker.requests.at(-1)!.body;
	return {...emails, worker, sendTest, asked, last};
}

test('a router that says no is told of as not sent, and nothing is asked after it', async t => {
	const {sendTest, asked} = await scripted(t);
	const checked = await sendTest({email_router_check: json({result: false, reason: 'unsubscribed'})});
	t.like(data(checked), {result: false, refused_by: 'email_router_check'});
	t.deepEqual(asked(), ['email_router_check']);
	const routed = await sendTest({email_routing: json({result: false})});
	t.like(data(routed), {result: false, refused_by: 'email_routing'});
	t.deepEqual(asked(), [...STEPS]);
});

test('a failure at any step names the plugin and the step, no address, and ends the test there', async t => {
	const {sendTest, asked, router, renderer, template, routerId, worker} = await scripted(t);
	const everywhere: [Answering, RegExp][] = [
		[status(400), /answered an error status: 400$/],
		[status(500), /answered an error status: 500$/],
		[status(302, ''), /answered an error status: 302$/],
		[json('<html>'), /did not answer JSON$/],
		[json(''), /did not answer JSON$/],
		[json('null'), /shape it should: see its root$/],
		[json([]), /shape it should: see its root$/],
		[json('"sent"'), /shape it should: see its root$/],
		[cutShort, /in the middle of its answer$/],
	];
	const ofRouter: [Answering, RegExp][] = [
		[json({}), /see \/result$/],
		[json({result: 'true'}), /see \/result$/],
		[json({status: 'ok', data: {result: true}}), /see \/result$/],
	];
	const ofRenderer: [Answering, RegExp][] = [
		[json({status: 'error'}), /see \/meta$/],
		[json({meta: 'subject', content: {html: ''}}), /see \/meta$/],
		[json({meta: {subject_line: 5}, content: {html: ''}}), /see \/meta\/subject_line$/],
		[json({meta: {}, content: '<p>'}), /see \/content$/],
		[json({meta: {}, content: {}}), /see \/content$/],
		[json({meta: {}, content: {html: ['<p>']}}), /see \/content\/html$/],
		[json({meta: {}, content: {text: ''}, data: 'free'}), /see \/data$/],
	];
	for (const step of STEPS) {
		const isRenderer = step === 'email_contents';
		const {plugin} = isRenderer ? renderer : router;
		const id = isRenderer ? template.email_renderer_id : routerId;
		const kind = isRenderer ? 'renderer' : 'router';
		const opening = `${step} of the email ${kind} ${id} (${plugin.group_id}/${plugin.artifact_id} 1.0.0): `;
		for (const [answering, words] of [...everywhere, ...(isRenderer ? ofRenderer : ofRouter)]) {
			const {status: code, body} = await sendTest({[step]: answering});
			t.is(`${code} ${body.error_code}`, '502 plugin_worker_failed');
			t.true(body.error.startsWith(opening), body.error);
			t.regex(body.error, words);
			t.false(body.error.includes(String(worker.port)) || body.error.includes('127.0.0.1'), body.error);
			t.deepEqual(asked(), STEPS.slice(0, STEPS.indexOf(step) + 1));
		}
	}
	t.true(data(await sendTest({})).result);
});

test('one that hangs is given up, one that is down or has no address is told so, and one failing on rests', async t => {
	const service = t.context;
	const {sendTest, asked, worker, path} = await scripted(t);
	const hanging = await sendTest({email_routing: hang});
	t.is(hanging.status, 502);
	t.regex(hanging.body.error, /^email_routing .* did not answer in time$/);
	t.deepEqual(asked(), [...STEPS]);

	const noWorker = await makeEmails(service, service.organisationId, {renderer: worker.url});
	const homeless = await sendTest({}, {email_router_id: noWorker.routerId});
	t.regex(homeless.body.error, /^email_router_check .*: no plugin worker is set for this version$/);
	t.deepEqual(asked(), []);

	await worker.close();
	const errors: string[] = [];
	for (let i = 0; i < 6; i++) errors.push((await sendTest({})).body.error);
	t.regex(errors[0]!, /cannot be reached: the connection was refused$/);
	t.regex(errors[5]!, /is left alone for a while$/);
	t.is((await service.get(path)).status, 405);
});

test('what a renderer leaves out is filled in, what it adds is passed on, and nulls are left out', async t => {
	const {sendTest, last} = await scripted(t);
	await sendTest({});
	t.like(last(), {
		campaign_id: '',
		blast_id: '',
		meta: {subject_line: 'Hello', to_email: 'ann@example.org'},
		content: {html: '<p>', text: ''},
		data: {},
	});
	const meta = {from_email: null, to_email: 'team@example.org', list_id: 7};
	await sendTest({email_contents: json({meta, content: {text: 'Hi', amp: '<amp>'}, data: {a: {b: [1]}}})});
	t.deepEqual(last().meta, {to_email: 'team@example.org', list_id: 7});
	t.deepEqual(last().content, {html: '', text: 'Hi', amp: '<amp>'});
	t.deepEqual(last().data, {a: {b: [1]}});
});

test('a faulty request is refused by the field, before anybody is called', async t => {
	const service = t.context;
	const {sendTest, asked, template} = await scripted(t);
	const analyzer = await makePlugin(service, service.organisationId);
	const instance = data(
		await service.post('/v1/visit_analyzer_models', {
			name: 'no router',
			organisation_id: service.organisationId,
			version_id: analyzer.version.id,
			error_recovery_strategy: 'DROP',
		}),
	);
	const stranger = await strangerTo(service);
	const theirs = await makeEmails(stranger, stranger.organisationId, {});
	const below = await suborganisationOf(service);
	const lower = await makeEmails(below, below.organisationId, {});
	const cases: [object, string][] = [
		[{email: undefined}, '/email'],
		[{email: 'ann'}, '/email'],
		[{email: 'ann@example.org, ben@example.org'}, '/email'],
		[{context: 'TEST'}, '/context'],
		[{email_router_id: 'first'}, '/email_router_id'],
		[{email_router_id: '987654'}, '/email_router_id'],
		[{email_router_id: instance.id}, '/email_router_id'],
		[{email_router_id: template.email_renderer_id}, '/email_router_id'],
		[{email_router_id: theirs.routerId}, '/email_router_id'],
		[{email_router_id: lower.routerId}, '/email_router_id'],
		// There are several by now.
		[{email_router_id: null}, '/email_router_id'],
		[{organisation_id: '987654'}, '/organisation_id'],
		[{organisation_id: stranger.organisationId}, '/organisation_id'],
		[{datamart_id: '987654'}, '/datamart_id'],
		[{user_data_bag: 'Ann'}, '/user_data_bag'],
		[{click_urls: ['https://r.example/?to=', 'javascript:alert(']}, '/click_urls/1'],
		[{email_tracking_url: 'open.gif'}, '/email_tracking_url'],
	];
	await makeEmails(service, service.organisationId, {});
	for (const [faulty, pointer] of cases) {
		const {status: code, body} = await sendTest({}, faulty);
		t.is(code, 400, JSON.stringify(faulty));
		t.is(body.errors[0].pointer, pointer, JSON.stringify(faulty));
		t.deepEqual(asked(), []);
	}
	// An organisation below uses the template and the router of the one above.
	t.like(data(await sendTest({}, {organisation_id: below.organisationId})), {
		organisation_id: below.organisationId,
		datamart_id: null,
	});
	const own = await sendTest({}, {organisation_id: below.organisationId, email_router_id: lower.routerId});
	t.regex(own.body.error, /^email_router_check of the email router \d+ .*no plugin worker is set/);
});

test('editors send tests of their own templates; archived ones are not sent', async t => {
	const service = t.context;
	const {path, sendTest, asked, template, routerId} = await scripted(t);
	const body = {email: 'ann@example.org', email_router_id: routerId};
	const stranger = await strangerTo(service);
	const hidden = await stranger.post(path, body);
	t.is(hidden.status, 404);
	t.is(hidden.body.error, 'Resource Not Found');
	t.is((await service.post('/v1/email_templates/987654/send_test', body)).status, 404);
	const reader = await colleagueOf(service, 'READER');
	t.is((await reader.post(path, body)).body.error_code, 'role_insufficient');
	const editor = await colleagueOf(service, 'EDITOR');
	await sendTest({});
	t.true(data(await editor.post(path, body)).result);
	// The renderer's id finds the template too.
	const byRenderer = `/v1/email_templates/${template.email_renderer_id}/send_test`;
	t.is(data(await editor.post(byRenderer, body)).email_template_id, template.id);

	data(await service.request('PUT', `/v1/email_templates/${template.id}`, {archived: true}));
	const archived = await sendTest({});
	t.is(`${archived.status} ${archived.body.error_code}`, '409 email_template_archived');
	t.deepEqual(asked(), []);
});
