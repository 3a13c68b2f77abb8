import {z} from 'zod';
import type {WorkerState} from './workers.ts';

const WorkerUrl = z
	.string()
	.max(2_000)
	.transform((text, context) => {
		const url = URL.canParse(text) ? new URL(text) : undefined;
		const isPlain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
		if (isPlain && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
		const message = 'must be an http:// or https:// address without a user, a query or a fragment';
		context.addIssue({code: 'custom', message});
		return z.NEVER;
	});

/** Body of PUT. */
export const WorkerRequest = z.object({url: WorkerUrl});

export const WorkerOnWire = z.object({
	url: z.string(),
	worker_id: z.string(),
	/** Null wherever it was shown before. */
	authentication_token: z.string().nullable(),
	reachable: z.boolean(),
	creation_date: z.number(),
	plugin_version_id: z.string(),
});

export function workerToWire({
	worker,
	authenticationToken,
	reachable,
}: WorkerState): z.output<typeof WorkerOnWire> {
	return {
		url: worker.url,
		worker_id: worker.workerId,
		authentication_token: authenticationToken,
		reachable,
		creation_date: worker.creationTs,
		plugin_version_id: String(worker.pluginVersionId),
	};
}

export const ContainerOnWire = z.object({
	id: z.string(),
	plugin_version_id: z.string(),
	url: z.string(),
	status: z.enum(['RUNNING', 'UNREACHABLE']),
});

/** The field's word for what a version runs in. */
export function containerToWire({worker, reachable}: WorkerState): z.output<typeof ContainerOnWire> {
	return {
		id: worker.workerId,
		plugin_version_id: String(worker.pluginVersionId),
		url: worker.url,
		status: reachable ? 'RUNNING' : 'UNREACHABLE',
	};
}
