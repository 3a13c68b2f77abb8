import {setTimeout as delay} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {pino} from 'pino';
import {
	type JobExecutionStore,
	jobExecutionStore,
} from '../../../src/bulk/job-executions/job-executions.store.ts';
import type {ClaimedJob, JobExecution, JobResult} from '../../../src/bulk/job-executions/job-executions.ts';
import {type JobContext, JobRunner, leaveIfAsked} from '../../../src/bulk/job-executions/job-runner.ts';
import {DomainError} from '../../../src/errors.ts';
import {startSharedPostgres, type TestPostgres} from '../../support/postgres.ts';
import {testTenants} from '../../support/tenants.ts';

let postgres: TestPostgres;
let store: JobExecutionStore;
let newDatamart: () => Promise<{readonly id: number; readonly organisationId: number}>;
test.before(async () => {
	postgres = await startSharedPostgres();
	store = jobExecutionStore(postgres.database);
	const tenants = await testTenants(postgres.database);
	const organisation = await tenants.organisation(await tenants.community());
	newDatamart = () => tenants.datamart(organisation);
});
test.after.always(() => postgres?.stop());

const RESULT: JobResult = {
	totalSuccess: 0,
	totalFailure: 0,
	inputFileName: null,
	inputFileUri: null,
	errorFileUri: null,
};

async function newJob(datamart: {
	readonly id: number;
	readonly organisationId: number;
}): Promise<JobExecution> {
	return store.create({
		id: await store.nextId(),
		jobType: 'REFERENCE_TABLE',
		organisationId: datamart.organisationId,
		datamartId: datamart.id,
		documentImportId: null,
		userId: null,
		parameters: {fileUri: 'svc://x', fileName: null, fileBytes: 1},
		numTasks: 10,
	});
}

type Run = (job: ClaimedJob, context: JobContext) => Promise<void>;

/** A runner for the jobs of one test; serial, since a runner claims whatever is there. */
function startRunner(t: ExecutionContext, run: Run, {instance = 1, leaseMs = 30_000} = {}) {
	const kind = {
		run: async (...each: Parameters<Run>) => {
			await run(...each);
			return RESULT;
		},
		leave: async () => RESULT,
	};
	const runner = new JobRunner({
		store,
		kinds: {DOCUMENT_IMPORT: kind, REFERENCE_TABLE: kind},
		instance,
		log: pino({level: 'silent'}),
		leaseMs,
		pollMs: 50,
	});
	t.teardown(() => runner.close());
	return runner;
}

async function until(id: number, isSo: (job: JobExecution) => boolean): Promise<JobExecution> {
	for (let i = 0; i < 1000; i++, await delay(20)) {
		const job = (await store.find(id))!;
		if (isSo(job)) return job;
	}
	throw new Error(`never: ${JSON.stringify(await store.find(id))}`);
}
const isOver = ({status}: JobExecution) => !['PENDING', 'RUNNING'].includes(status);

const step = (progress: unknown) => ({
	progress,
	completed: 1,
	erroneous: 0,
	errors: `{"line":${progress}}\n`,
});

async function linesOf(id: number): Promise<string> {
	let text = '';
	for await (const part of store.parts(id, 'errors')) text += part;
	return text;
}

test.serial(
	'a job that is left at the end of a process goes on from its last step in the next one',
	async t => {
		const {id} = await newJob(await newDatamart());
		const first = startRunner(t, async (_, context) => {
			for (let at = 1; ; at++) {
				leaveIfAsked(context.signal);
				await context.save(step(at));
				await delay(5);
			}
		});
		await first.start();
		await until(id, job => job.completedTasks >= 3);
		await first.close();
		const left = (await store.find(id))!;
		t.like(left, {status: 'RUNNING', retryCount: 0});
		const reached = left.completedTasks;

		let found: unknown;
		const second = startRunner(t, async (job, context) => {
			found = job.progress;
			t.is(await linesOf(id), Array.from({length: reached}, (_, at) => `{"line":${at + 1}}\n`).join(''));
			await context.save(step(reached + 1));
		});
		await second.start();
		const done = await until(id, isOver);
		t.is(found, reached);
		t.like(done, {status: 'SUCCEEDED', completedTasks: reached + 1, retryCount: 1, result: RESULT});
		t.is(await linesOf(id), '', 'what became files is not kept twice');
	},
);

test.serial(
	'a store that is away is waited for; a file that is wrong, or a bug, ends the job with a message',
	async t => {
		const [away, wrong, broken, aborting] = [
			await newJob(await newDatamart()),
			await newJob(await newDatamart()),
			await newJob(await newDatamart()),
			await newJob(await newDatamart()),
		];
		const runner = startRunner(t, async job => {
			if (job.id === away!.id && job.retryCount === 0) throw new DomainError('store_unavailable', 'away');
			if (job.id === wrong!.id) throw new DomainError('field_invalid', 'line 3 is bad');
			if (job.id === broken!.id) throw new TypeError('cannot read vec:secret');
			if (job.id === aborting!.id) AbortSignal.abort().throwIfAborted();
		});
		await runner.start();
		t.like(await until(away!.id, isOver), {status: 'SUCCEEDED', retryCount: 1});
		t.like(await until(wrong!.id, isOver), {status: 'FAILED', error: {message: 'line 3 is bad'}});
		t.like(await until(broken!.id, isOver), {status: 'FAILED', error: {message: 'Internal error'}});
		t.like(await until(aborting!.id, isOver), {status: 'FAILED'});
	},
);

test.serial('what a job says once it was told to leave is no failure of it', async t => {
	const {id} = await newJob(await newDatamart());
	let isRunning = false;
	const runner = startRunner(t, async (_, {signal}) => {
		isRunning = true;
		while (!signal.aborted) await delay(5);
		throw new TypeError('the thread is gone');
	});
	await runner.start();
	await until(id, () => isRunning);
	await runner.close();
	t.like(await store.find(id), {status: 'RUNNING'});
	const next = startRunner(t, async () => {});
	await next.start();
	t.like(await until(id, isOver), {status: 'SUCCEEDED', retryCount: 1});
});

test.serial(
	'whoever lost its claim writes nothing any more, and the job is done by the one who has it',
	async t => {
		const {id} = await newJob(await newDatamart());
		const claimed = await store.claim(1, 0);
		t.is(claimed?.id, id);
		const runner = startRunner(t, async (_, context) => context.save(step(1)), {instance: 2});
		await runner.start();
		await until(id, isOver);
		t.is(await store.save(claimed!, step(2)), 'lost');
		t.false(await store.end(claimed!, {status: 'FAILED', result: null, error: null}));
		t.like(await store.find(id), {status: 'SUCCEEDED', completedTasks: 1});
	},
);

test.serial('a lease that is renewed keeps a slow job from others', async t => {
	const {id} = await newJob(await newDatamart());
	let runs = 0;
	const run: Run = async () => {
		runs += 1;
		await delay(1_500);
	};
	const first = startRunner(t, run, {leaseMs: 600});
	await first.start();
	const second = startRunner(t, run, {leaseMs: 600, instance: 2});
	await second.start();
	t.like(await until(id, isOver), {status: 'SUCCEEDED', retryCount: 0});
	t.is(runs, 1);
});

test.serial('a running job is canceled at its next step, and that step is not kept', async t => {
	const {id} = await newJob(await newDatamart());
	const runner = startRunner(t, async (_, context) => {
		for (let at = 1; ; at++) {
			await context.save(step(at));
			await delay(5);
		}
	});
	await runner.start();
	await until(id, job => job.completedTasks > 0);
	t.like(await store.cancel(id), {status: 'RUNNING', cancelStatus: 'REQUESTED'});
	const done = await until(id, isOver);
	t.like(done, {status: 'CANCELED', cancelStatus: 'DONE', result: RESULT});
	t.is(await store.cancel(id), undefined, 'it is over');
});

test.serial(
	'jobs of one datamart run one after the other, oldest first; those of another beside them',
	async t => {
		const [one, other] = [await newDatamart(), await newDatamart()];
		const jobs = [await newJob(one), await newJob(one), await newJob(other)];
		const order: string[] = [];
		const runner = startRunner(t, async ({id}) => {
			order.push(`begin ${jobs.findIndex(job => job.id === id)}`);
			await delay(100);
			order.push(`end ${jobs.findIndex(job => job.id === id)}`);
		});
		await runner.start();
		for (const {id} of jobs) await until(id, isOver);
		t.true(order.indexOf('end 0') < order.indexOf('begin 1'));
		t.true(order.indexOf('begin 2') < order.indexOf('end 1'));
	},
);

test.serial('a pending job that is canceled is never begun', async t => {
	const {id} = await newJob(await newDatamart());
	t.like(await store.cancel(id), {status: 'CANCELED', cancelStatus: 'DONE'});
	let runs = 0;
	const runner = startRunner(t, async () => {
		runs += 1;
	});
	await runner.start();
	await delay(200);
	t.is(runs, 0);
});
