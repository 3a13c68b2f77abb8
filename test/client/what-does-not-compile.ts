import type {MillraceClient} from '../../src/client/index.ts';

/** Never run: the compiler reads it. */
export async function whatDoesNotCompile(client: MillraceClient): Promise<void> {
	const path = {datamartId: 1};
	// @ts-expect-error no such path
	await client.get('/v1/datamart');
	// @ts-expect-error not by this method
	await client.get('/v1/datamarts/{datamartId}/user_analytics_funnel', {path});
	// @ts-expect-error a path wants its values
	await client.get('/v1/datamarts/{datamartId}/channels');
	// @ts-expect-error and by their names
	await client.get('/v1/datamarts/{datamartId}/channels', {path: {id: 1}});
	// @ts-expect-error a word the query does not have
	await client.get('/v1/datamarts/{datamartId}/channels', {path, query: {frist_result: 1}});
	// @ts-expect-error a funnel has a period
	await client.post('/v1/datamarts/{datamartId}/user_analytics_funnel', {path, body: {for: []}});
	// @ts-expect-error an activity has a type
	await client.sendActivities(1, [{$ts: 1}]);
	// @ts-expect-error a channel has no such field
	for await (const {nmae} of client.each('/v1/datamarts/{datamartId}/channels', {path})) String(nmae);
	// @ts-expect-error one record is no list
	void client.each('/v1/connected_user');
	// @ts-expect-error what has no bytes has an envelope
	await client.bytes('/v1/connected_user');
}
