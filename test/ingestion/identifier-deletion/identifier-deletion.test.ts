import test from 'ava';
import {identifierDeletionStore} from '../../../src/ingestion/identifier-deletion/identifier-deletion.store.ts';
import {strippedRecord} from '../../../src/ingestion/identifier-deletion/identifier-deletion.ts';
import type {JournalRecord} from '../../../src/ingestion/journal/record.ts';
import {canonical, type Identifier} from '../../../src/ingestion/user-points/identifiers.ts';
import {UserPointsStore} from '../../../src/ingestion/user-points/user-points.store.ts';
import {UserPoints} from '../../../src/ingestion/user-points/user-points.ts';
import {SECRETS} from '../../support/ingestion.ts';
import {startSharedPostgres, type TestPostgres} from '../../support/postgres.ts';

const agent = (text: string): Identifier => ({kind: 'USER_AGENT', compartmentId: undefined, text});

let postgres: TestPostgres;
test.before(async () => {
	postgres = await startSharedPostgres();
});
test.after.always(() => postgres?.stop());

let datamarts = 0;

/** A datamart of its own in the one database. */
function stores() {
	const {database} = postgres;
	const datamart = ++datamarts;
	const userPoints = new UserPointsStore(database, SECRETS);
	const deletion = identifierDeletionStore(database);
	return {
		datamart,
		database,
		userPoints,
		deletion,
		place: async (receivedMs: number, ...texts: string[]) => {
			const [placed] = await userPoints.place(datamart, [{receivedMs, identifiers: texts.map(agent)}]);
			return placed!;
		},
		remove: (...texts: string[]) =>
			deletion.remove(
				datamart,
				Buffer.from(texts.map(text => userPoints.keyOf(agent(text))).join(''), 'hex'),
				async () => {},
			),
	};
}

const LONG_AGO = Date.UTC(2025, 0, 1);
const later = () => Date.now() + 60_000;

// Of all datamarts: before the others.
test.serial('what was deleted a month ago is forgotten', async t => {
	const {datamart, userPoints, deletion, remove} = stores();
	await remove('ann');
	const key = userPoints.keyOf(agent('ann'));
	await deletion.prune(Date.now() + 29 * 86_400_000);
	t.is((await deletion.deletedMs(datamart, [key])).size, 1);
	await deletion.prune(Date.now() + 31 * 86_400_000);
	t.is((await deletion.deletedMs(datamart, [key])).size, 0);
});

test('what was accepted before a deletion belongs to the old user point and does not bring the identifier back', async t => {
	const {datamart, userPoints, place, remove} = stores();
	const first = await place(LONG_AGO, 'ann', 'ann-stays');
	const {removed} = await remove('ann');
	t.deepEqual(removed, [0]);

	const waiting = await place(LONG_AGO + 1, 'ann');
	t.is(waiting.userPointId, first.userPointId);
	t.deepEqual([...waiting.identifiers], [], 'what is kept of it refers to nobody');
	t.is(await userPoints.find(datamart, agent('ann')), undefined);

	const after = await place(later(), 'ann');
	t.not(after.userPointId, first.userPointId);
	t.is((await userPoints.find(datamart, agent('ann')))?.userPointId, after.userPointId);
	t.is(
		(await place(LONG_AGO + 2, 'ann')).userPointId,
		first.userPointId,
		'and what comes out of a journal still',
	);
	t.is((await userPoints.find(datamart, agent('ann-stays')))?.userPointId, first.userPointId);
});

test('a batch with activities from before and after a deletion tells them apart', async t => {
	const {datamart, userPoints, place, remove} = stores();
	const first = await place(LONG_AGO, 'ann');
	await remove('ann');
	const [before, after] = await userPoints.place(datamart, [
		{receivedMs: LONG_AGO, identifiers: [agent('ann')]},
		{receivedMs: later(), identifiers: [agent('ann')]},
	]);
	t.is(before!.userPointId, first.userPointId);
	t.not(after!.userPointId, first.userPointId);
	t.deepEqual([...after!.identifiers.keys()], [canonical(agent('ann'))]);
});

test('an identifier nobody had yet when it was deleted stays nobody’s: its waiting activities are kept without it', async t => {
	const {datamart, userPoints, place, remove} = stores();
	await remove('ann');
	const waiting = await place(LONG_AGO, 'ann');
	t.like(waiting, {userPointId: 0, isFull: undefined});
	const beside = await place(LONG_AGO, 'ann', 'bob');
	t.deepEqual([...beside.identifiers.keys()], [canonical(agent('bob'))]);
	t.is(await userPoints.find(datamart, agent('ann')), undefined);
	t.true((await place(later(), 'ann')).userPointId > 0);
});

test('a former identifier follows the merges of whoever had it, and still merges what it came with', async t => {
	const {place, remove} = stores();
	const ann = await place(LONG_AGO, 'ann', 'ann-stays');
	const bob = await place(LONG_AGO, 'bob');
	await remove('bob');
	await place(LONG_AGO, 'other-of-bob');
	t.not(ann.userPointId, bob.userPointId);
	const carol = await place(LONG_AGO, 'bob', 'carol');
	t.is(carol.userPointId, bob.userPointId);
	const merged = await place(LONG_AGO, 'carol', 'ann-stays');
	t.is(merged.userPointId, ann.userPointId);
	t.is((await place(LONG_AGO, 'bob')).userPointId, ann.userPointId, 'the survivor');
});

test('what a drain remembers is forgotten before the batch behind the deletion', async t => {
	const {datamart, userPoints, remove} = stores();
	const drain = new UserPoints(userPoints);
	const visit = (receivedMs: number) => ({datamartId: datamart, receivedMs, identifiers: [agent('ann')]});
	await drain.forgetDeleted();
	const [first] = await drain.place([visit(LONG_AGO)]);
	t.is(drain.recall(visit(LONG_AGO + 1))?.userPointId, first!.userPointId);
	await remove('ann');
	await drain.forgetDeleted();
	t.is(drain.recall(visit(later())), undefined);
	const [after] = await drain.place([visit(later())]);
	t.not(after!.userPointId, first!.userPointId);
	t.is(drain.recall(visit(later() + 60_000))?.userPointId, after!.userPointId);
	t.is(drain.recall(visit(LONG_AGO)), undefined, 'a replay from before it is asked of the store');
});

test('a user point has room again for what was deleted from it', async t => {
	const {database, place, remove} = stores();
	const {userPointId} = await place(LONG_AGO, 'a', 'b', 'c');
	await remove('a', 'b', 'unknown');
	const row = await database.run(sql => sql('user_points').where({id: userPointId}).first('identifiers'));
	t.is(row.identifiers, 1);
});

test('a deletion that does not commit has deleted nothing', async t => {
	const {datamart, userPoints, deletion, place} = stores();
	await place(LONG_AGO, 'ann');
	const key = userPoints.keyOf(agent('ann'));
	const failing = deletion.remove(datamart, Buffer.from(key, 'hex'), () =>
		Promise.reject(new Error('the job was lost')),
	);
	await t.throwsAsync(failing, {message: 'the job was lost'});
	t.truthy(await userPoints.find(datamart, agent('ann')));
	t.is((await deletion.deletedMs(datamart, [key])).size, 0);
});

test('another datamart’s identifier of the same text stays', async t => {
	const {datamart, userPoints, place, remove} = stores();
	await place(LONG_AGO, 'ann');
	await userPoints.place(datamart + 1000, [{receivedMs: LONG_AGO, identifiers: [agent('ann')]}]);
	await remove('ann');
	t.truthy(await userPoints.find(datamart + 1000, agent('ann')));
});

test('a record loses deleted identifiers from every place that can name one, and keeps the rest to the last digit', async t => {
	const {datamart, userPoints, deletion, place, remove} = stores();
	await place(LONG_AGO, 'ann');
	await remove('ann');
	const activity = `{"$type":"SITE_VISIT","$user_agent_id":"ann","$user_identifiers":[{"$type":"USER_AGENT","$user_agent_id":"ann"},{"$type":"USER_AGENT","$user_agent_id":"bob"}],"n":12345678901234567890}`;
	const record: JournalRecord = {
		datamartId: datamart,
		defaultCompartmentId: 0,
		receivedMs: LONG_AGO,
		arrival: 1,
		rows: 1,
		userAgent: '',
		body: Buffer.from(activity),
	};
	const stripped = await strippedRecord({userPoints, store: deletion}, record);
	t.is(
		stripped.body.toString(),
		'{"$type":"SITE_VISIT","$user_identifiers":[{"$type":"USER_AGENT","$user_agent_id":"bob"}],"n":12345678901234567890}',
	);
	const fresh = {...record, receivedMs: later()};
	t.is(
		await strippedRecord({userPoints, store: deletion}, fresh),
		fresh,
		'one that came later is somebody new',
	);
});

test('an identifier that is deleted again, beside others that are not, is told with the later moment and its last owner', async t => {
	const {datamart, userPoints, deletion, place, remove} = stores();
	const key = (text: string) => userPoints.keyOf(agent(text));
	const {userPointId} = await place(LONG_AGO, 'ann');
	const first = await remove('ann');
	await new Promise(resolve => setTimeout(resolve, 5));
	const second = await remove('bob', 'ann', 'carol');
	t.deepEqual([...second.removed], []);
	t.true(second.deletedMs > first.deletedMs);
	t.deepEqual(
		await deletion.deletedMs(datamart, [key('ann'), key('bob'), key('dave')]),
		new Map([
			[key('ann'), second.deletedMs],
			[key('bob'), second.deletedMs],
		]),
	);
	t.is(
		(await place(LONG_AGO, 'ann')).userPointId,
		userPointId,
		'unknown the second time, it keeps whose it was',
	);
	const next = await place(later(), 'ann');
	await remove('ann');
	t.is((await place(later() - 120_000, 'ann')).userPointId, next.userPointId);
});
