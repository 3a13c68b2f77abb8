import test from 'ava';
import {DomainError} from '../../../src/errors.ts';
import {
	channelOf,
	channelPrincipal,
	inChannel,
} from '../../../src/ingestion/channel-tokens/channel-tokens.ts';
import type {WireActivity} from '../../../src/ingestion/facts/activity.ts';
import {type Channel, tenantView} from '../../../src/tenants/directory.ts';
import {principalOf} from '../../support/tenants.ts';

function channel(id: number, type: Channel['type']): Channel {
	return {
		id,
		datamartId: 1,
		organisationId: 1,
		type,
		name: `channel ${id}`,
		token: `token${id}`,
		domain: null,
		enableAnalytics: false,
		enableInstallationIdAggregation: false,
		creationTs: 0,
	};
}

const site = channel(7, 'SITE');
const app = channel(8, 'MOBILE_APPLICATION');

/** What is kept of an activity that comes with a channel's token. */
function kept(by: Channel, text: string): string {
	const activity = JSON.parse(text) as WireActivity;
	const tracked = inChannel(by, {activity, bytes: Buffer.from(text)});
	assertAlike(tracked);
	return tracked.bytes.toString('utf8');
}

/** The text and the value are two views of one thing. */
function assertAlike({activity, bytes}: {activity: WireActivity; bytes: Buffer}): void {
	if (JSON.stringify(JSON.parse(bytes.toString())) !== JSON.stringify(activity)) {
		throw new Error(`${bytes} is not ${JSON.stringify(activity)}`);
	}
}

test('an activity that names no channel gets the token’s, under the name its type has', t => {
	t.is(kept(site, '{"$type":"SITE_VISIT"}'), '{"$type":"SITE_VISIT","$site_id":"7"}');
	t.is(kept(app, '{"$type":"APP_VISIT"}'), '{"$type":"APP_VISIT","$app_id":"8"}');
	t.is(
		kept(site, '{"$type":"SITE_VISIT","$events":[{"$event_name":"a"}] }\n '),
		'{"$type":"SITE_VISIT","$events":[{"$event_name":"a"}] ,"$site_id":"7"}',
	);
});

test('nothing else of the text changes: long numbers keep their digits, accents their bytes', t => {
	const text = '{"$type":"é","n":12345678901234567890,"x":1.10}';
	const {bytes} = inChannel(site, {activity: JSON.parse(text), bytes: Buffer.from(text)});
	t.is(bytes.toString(), '{"$type":"é","n":12345678901234567890,"x":1.10,"$site_id":"7"}');
});

test('null and empty count as naming no channel', t => {
	t.is(kept(site, '{"$type":"a","$site_id":null}'), '{"$type":"a","$site_id":"7"}');
	t.is(kept(site, '{"$type":"a","$site_id":""}'), '{"$type":"a","$site_id":"7"}');
	t.is(kept(app, '{"$type":"a","$site_id":null}'), '{"$type":"a","$site_id":null,"$app_id":"8"}');
});

test('an activity that names the token’s own channel stays as it is, whichever name it uses', t => {
	for (const text of ['{"$type":"APP_VISIT","$site_id":"7"}', '{"$type":"SITE_VISIT","$app_id":"7"}']) {
		t.is(kept(site, text), text);
	}
});

test('an activity that names another channel is refused by the name of the field', t => {
	for (const field of ['$site_id', '$app_id']) {
		const text = `{"$type":"a","${field}":"8"}`;
		const error = t.throws(() => kept(site, text), {instanceOf: DomainError});
		t.is(error?.code, 'field_invalid');
		t.is(error?.faults[0]?.pointer, `/${field}`);
	}
	t.throws(() => kept(site, '{"$type":"a","$site_id":"7","$app_id":"8"}'), {instanceOf: DomainError});
});

test('a token names its channel, and only such a principal is held to one', t => {
	const directory = tenantView({organisations: [], datamarts: [], compartments: [], channels: [site, app]});
	const principal = channelPrincipal(directory, 'token7')!;
	t.deepEqual(principal, {kind: 'channel', channelId: 7, datamartId: 1, organisationId: 1});
	t.is(channelPrincipal(directory, 'token9'), undefined);
	t.is(channelOf(principal, directory), site);
	const organisation = {id: 1, communityId: 1} as Parameters<typeof principalOf>[0];
	t.is(channelOf(principalOf(organisation, 'EDITOR'), directory), undefined);
});
