import {DomainError} from '../../errors.ts';
import type {JobExecutionStore} from './job-executions.store.ts';
import type {JobExecution} from './job-executions.ts';

/**
 * A pending execution is canceled at once, a running one at its next step: what it did stays done, and is counted.
 * `leave` puts the files of one that never began in order. Error: `job_execution_ended`.
 */
export async function cancelExecution(
	{
		jobs,
		leave,
	}: {
		readonly jobs: Pick<JobExecutionStore, 'cancel'>;
		readonly leave: (job: JobExecution) => Promise<unknown>;
	},
	{id}: JobExecution,
): Promise<JobExecution> {
	const job = await jobs.cancel(id);
	if (!job) throw new DomainError('job_execution_ended', 'it has ended: there is nothing to cancel');
	if (job.status === 'CANCELED') await leave(job);
	return job;
}
