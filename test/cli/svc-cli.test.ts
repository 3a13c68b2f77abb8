import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import anyTest, {type TestFn} from 'ava';
import {ADMIN, startTestService, type TestService} from '../support/service.ts';
import {HAS_TERMINAL, newPerson, type Person} from './support/svc-cli.ts';

const test = anyTest as TestFn<{service: TestService}>;

test.before(async t => {
	t.context = {service: await startTestService()};
});
test.after.always(async t => t.context.service?.stop());

async function loggedIn(t: Parameters<typeof newPerson>[0], service: TestService): Promise<Person> {
	const person = newPerson(t);
	const {code, err} = await person.run(
		['login', '--base-url', service.url, '--email', ADMIN.email, '--password-stdin'],
		ADMIN.password,
	);
	if (code !== 0) throw new Error(err);
	return person;
}

const visit = (person: string, event: string, second: number) => {
	const $ts = Date.now() - 60_000 + second * 1000;
	return JSON.stringify({
		$type: 'SITE_VISIT',
		$ts,
		$user_identifiers: [{$type: 'USER_AGENT', $user_agent_id: `vec:${person}`}],
		$events: [{$event_name: event, $ts}],
	});
};

const QUESTION = JSON.stringify({
	for: ['$item_view', '$basket_view'].map(name => ({
		name,
		filter_clause: {
			operator: 'AND',
			filters: [{dimension_name: 'EVENT_TYPE', operator: 'EXACT', expressions: [name]}],
		},
	})),
	in: {type: 'WINDOW', unit: 'DAY', offset: 7},
});

test('a variable that is set is listed, printed and kept from others; the token is not listed in full', async t => {
	const person = newPerson(t);
	t.is((await person.run(['config:set', 'baseUrl', 'http://127.0.0.1:9/v1/'])).code, 0);
	t.is((await person.run(['config:set', 'authToken'], 'api:0123456789abcdefghijklmnop\n')).code, 0);
	t.is((await person.run(['config:get', 'baseUrl'])).out, 'http://127.0.0.1:9\n');
	t.is((await person.run(['config:get', 'authToken'])).out, 'api:0123456789abcdefghijklmnop\n');
	const {out} = await person.run(['config:list']);
	t.regex(out, /^authToken\s+api:0123…$/m);
	t.regex(out, /^baseUrl\s+http:\/\/127\.0\.0\.1:9$/m);
	t.is(statSync(person.configFile).mode & 0o777, 0o600);
	t.deepEqual(JSON.parse((await person.run(['config:list', '--json'])).out), {
		authToken: 'api:0123…',
		baseUrl: 'http://127.0.0.1:9',
	});
});

test('a command that is called wrongly ends with 2, one that fails with 1', async t => {
	const person = newPerson(t);
	const wrong = [['nope'], ['whoami', '--nope'], ['config:get', 'nope'], ['config:get'], ['funnel']];
	for (const args of wrong) t.is((await person.run(args)).code, 2, args.join(' '));
	t.is((await person.run(['config:get', 'authToken'])).code, 1, 'nothing is set');
	t.is((await person.run(['config:set', 'baseUrl', 'ftp://x'])).code, 1);
	const tokenless = await person.run(['whoami']);
	t.is(tokenless.code, 1);
	t.regex(tokenless.err, /svc-cli login/);
	const {out, code} = await person.run(['help']);
	t.is(code, 0);
	const names = [
		'config:list',
		'config:get',
		'config:set',
		'help',
		'whoami',
		'autocomplete',
		'activities:send',
	];
	for (const name of names) t.regex(out, new RegExp(`^  ${name} `, 'm'), `${name} is listed`);
});

test('without a terminal the first command takes the token from its input and saves it', async t => {
	const {service} = t.context;
	const {authToken} = JSON.parse(readFileSync((await loggedIn(t, service)).configFile, 'utf8'));
	const person = newPerson(t);
	await person.run(['config:set', 'baseUrl', service.url]);

	const data = await person.run(['funnel', '-', '-d', service.datamartId], QUESTION);
	t.is(data.code, 1, 'a question on the input is no token');
	t.regex(data.err, /there is no token yet/);
	t.false(readFileSync(person.configFile, 'utf8').includes('authToken'));

	const first = await person.run(['whoami'], `${authToken}\n`, {leaveOpen: true});
	t.is(first.code, 0, first.err);
	t.regex(first.err, /API token/);
	t.regex(first.out, new RegExp(ADMIN.email));
	t.is((await person.run(['whoami'])).code, 0);
});

test('whoever logs in is known from then on by a token of this machine, and the password is kept nowhere', async t => {
	const {service} = t.context;
	const person = await loggedIn(t, service);
	const saved = readFileSync(person.configFile, 'utf8');
	t.regex(saved, /"authToken": "api:/);
	t.false(saved.includes(ADMIN.password));
	const {out} = await person.run(['whoami']);
	t.regex(out, new RegExp(ADMIN.email));
	t.regex(out, new RegExp(`\\(${service.datamartId}\\)`));
	t.is(JSON.parse((await person.run(['whoami', '--json'])).out).email, ADMIN.email);

	const refused = await person.run(['login', '--email', ADMIN.email, '--password-stdin'], 'wrong password');
	t.is(refused.code, 1);
	t.regex(refused.err, /401 .*error id/s);
	t.is(readFileSync(person.configFile, 'utf8'), saved);
});

test('activities are sent, asked for as a funnel, and what was wrong with a line is told with its number', async t => {
	const {service} = t.context;
	const person = await loggedIn(t, service);
	const file = join(person.home, 'activities.ndjson');
	const lines = [
		visit('ann', '$item_view', 1),
		visit('ann', '$basket_view', 2),
		'{"$type": 7}',
		visit('bob', '$item_view', 1),
	];
	writeFileSync(file, lines.join('\n'));
	const sent = await person.run(['activities:send', file, '--datamart', service.datamartId]);
	t.is(sent.code, 1, 'one line was rejected');
	t.regex(sent.out, /3 accepted, 0 duplicate, 1 rejected/);
	t.regex(sent.err, /line 3: \/\$type/);

	const question = join(person.home, 'question.json');
	writeFileSync(question, QUESTION);
	const {out, code} = await person.run(['funnel', question, '-d', service.datamartId]);
	t.is(code, 0);
	t.regex(out, /\$item_view .* 2 /);
	t.regex(out, /\$basket_view .* 1 .*50\.0 %/);
	const split = ['funnel', question, '-d', service.datamartId, '--split', 'EVENT_TYPE', '--json'];
	const answer = JSON.parse((await person.run(split)).out);
	t.deepEqual(
		answer.global.steps.map((step: {count: number}) => step.count),
		[2, 1],
	);
	t.is(answer.grouped_by[0].dimension_value, '$item_view');

	const unknown = await person.run(['funnel', '-', '-d', '99999999'], QUESTION);
	t.is(unknown.code, 1);
	t.regex(unknown.err, /404 Resource Not Found/);
});

test('a file is imported in bulk and followed to its end, and what was wrong in it is pointed to', async t => {
	const {service} = t.context;
	const person = await loggedIn(t, service);
	const file = join(person.home, 'bulk.ndjson');
	writeFileSync(file, [visit('bulk-1', '$bulk_view', 1), '{"$type": 7}'].join('\n'));
	const args = ['imports:run', file, '--datamart', service.datamartId, '--type', 'USER_ACTIVITY'];
	const {code, out, err} = await person.run([...args, '--follow']);
	t.is(code, 0, err);
	t.regex(out, /^SUCCEEDED: 1 done, 1 in error$/m);
	t.regex(err, /data_file\/data\?uri=svc:\/\//);
	const begun = JSON.parse((await person.run([...args, '--json'])).out);
	t.regex(begun.execution.id, /^\d+$/);
	const elsewhere = await person.run([...args.slice(0, 2), '--datamart', '99999999', ...args.slice(4)]);
	t.is(elsewhere.code, 1);
	t.regex(elsewhere.err, /404 Resource Not Found/);
});

test('what activities cost is printed as a table', async t => {
	const person = await loggedIn(t, t.context.service);
	const {out, code, err} = await person.run(['usage', '--days', '2', '--by', 'datamart_id']);
	t.is(code, 0, err);
	t.regex(out, /^DATAMART_ID\s+SCAN_COST\s+READ_COST\s+WRITE_COST/);
});

test('the shell completes commands, flags, datamarts and dimensions, and leaves files to itself', async t => {
	const {service} = t.context;
	const person = await loggedIn(t, service);
	t.is((await person.run(['autocomplete', '-r'])).code, 0);
	const complete = async (line: string) => {
		const {out} = await person.run(['complete', line]);
		return out.split('\n').flatMap(each => each.split('\t')[0] || []);
	};
	t.deepEqual(await complete('svc-cli conf'), ['config:get', 'config:list', 'config:set']);
	t.deepEqual(await complete('svc-cli config:get '), ['authToken', 'baseUrl']);
	t.true((await complete('svc-cli funnel q.json --da')).includes('--datamart'));
	t.true((await complete('svc-cli funnel q.json --datamart ')).includes(service.datamartId));
	t.true((await complete('svc-cli funnel q.json --split CHANNEL')).includes('CHANNEL_ID'));
	t.deepEqual(await complete('svc-cli activities:send '), ['__files__']);
	for (const shell of ['bash', 'zsh', 'fish']) {
		const {out} = await person.run(['autocomplete', shell, '--json']);
		t.regex(readFileSync(JSON.parse(out).script, 'utf8'), /svc-cli complete/);
	}
});

(HAS_TERMINAL ? test : test.skip)(
	'on first use a command asks for the API token, does not show it, and remembers it',
	async t => {
		const {service} = t.context;
		const {authToken} = JSON.parse(readFileSync((await loggedIn(t, service)).configFile, 'utf8'));
		const person = newPerson(t);
		await person.run(['config:set', 'baseUrl', service.url]);
		const first = await person.type(['whoami'], {'API token': authToken});
		t.is(first.code, 0, first.out);
		t.regex(first.out, new RegExp(ADMIN.email));
		t.false(first.out.includes(authToken));
		t.is((await person.run(['whoami'])).code, 0);

		const asked = await person.type(['config:set', 'baseUrl'], {baseUrl: 'http://127.0.0.1:9'});
		t.is(asked.code, 0, asked.out);
		t.is((await person.run(['config:get', 'baseUrl'])).out, 'http://127.0.0.1:9\n');
	},
);
