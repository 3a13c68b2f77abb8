import test from 'ava';
import {startTestService, type TestService} from '../../support/service.ts';

let service: TestService;
test.before(async () => {
	service = await startTestService();
});
test.after.always(() => service?.stop());

test('every page of a timeline tells how many activities there are: full, last, or beyond the end', async t => {
	const path = `/v1/datamarts/${service.datamartId}`;
	const activities = [1, 2, 3].map(minute => ({
		$type: 'SITE_VISIT',
		$ts: Date.UTC(2026, 2, 10, 8, minute),
		$user_account_id: 'ann',
	}));
	await service.post(`${path}/user_activities?async=false`, activities);
	const page = async (first: number, most: number) => {
		const query = `first_result=${first}&max_results=${most}`;
		const {body} = await service.get(`${path}/user_timelines/user_account_id=ann/user_activities?${query}`);
		return [body.data.length, body.total];
	};

	t.deepEqual(await page(0, 50), [3, 3]);
	t.deepEqual(await page(0, 3), [3, 3]);
	t.deepEqual(await page(0, 2), [2, 3]);
	t.deepEqual(await page(2, 2), [1, 3]);
	t.deepEqual(await page(3, 2), [0, 3]);
	t.deepEqual(await page(9, 2), [0, 3]);
});
