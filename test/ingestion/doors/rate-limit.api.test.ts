import test from 'ava';
import {clientOf, startTestService} from '../../support/service.ts';

test('a service with a limit counts every activity of a batch, refuses what is beyond, and takes it later', async t => {
	const service = await startTestService({RATE_LIMIT_PER_SECOND: '20'});
	try {
		const path = `/v1/datamarts/${service.datamartId}/user_activities`;
		const channels = await service.get(`/v1/datamarts/${service.datamartId}/channels`);
		const tracker = clientOf(service.url);
		const headers = {authorization: channels.body.data[0].token as string};
		const lines = Array.from({length: 41}, () => '{"$type":"SITE_VISIT"}').join('\n');

		const batch = await tracker.post(path, lines, {...headers, 'content-type': 'application/x-ndjson'});
		t.is(batch.status, 200);
		t.is(batch.headers.get('ratelimit-policy'), '"token";q=20;w=1, "datamart";q=20;w=1');
		t.regex(batch.headers.get('ratelimit')!, /^"token";r=0;t=\d, "datamart";r=0;t=\d$/);

		const refused = await tracker.post(path, {$type: 'SITE_VISIT'}, headers);
		t.is(refused.status, 429);
		t.is(refused.body.error_code, 'rate_limit_exceeded');
		const waitSeconds = Number(refused.headers.get('retry-after'));
		t.true(waitSeconds >= 1 && waitSeconds <= 2, String(waitSeconds));
		t.is((await service.get(`/v1/datamarts/${service.datamartId}/channels`)).status, 200, 'people go on');

		await new Promise(resolve => setTimeout(resolve, waitSeconds * 1000));
		t.is((await tracker.post(path, {$type: 'SITE_VISIT'}, headers)).status, 200);
	} finally {
		await service.stop();
	}
});
