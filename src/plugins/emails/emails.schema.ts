import {z} from 'zod';
import {faultsOf} from '../../validation.ts';
import {WorkerError} from '../worker-client/worker-error.ts';

/** Plugin workers leave out, or send as null, what they have nothing for. */
const Text = z.string().nullish();

/** What `/v1/email_router_check` and `/v1/email_routing` answer (specification, "Plugin worker endpoints"). */
const RouterAnswer = z.looseObject({result: z.boolean()});

/**
 * What `/v1/email_contents` answers: PluginEmailMeta and PluginEmailContent, each with further keys as the plugin likes,
 * and PluginEmailData, which may be absent. They stay as they are on the wire: the router gets them so.
 */
const RendererAnswer = z.looseObject({
	meta: z.looseObject({
		from_email: Text,
		from_name: Text,
		to_email: Text,
		to_name: Text,
		reply_to: Text,
		subject_line: Text,
	}),
	content: z
		.looseObject({html: Text, text: Text})
		.refine(
			({html, text}) => typeof html === 'string' || typeof text === 'string',
			'has neither html nor text',
		),
	data: z
		.record(z.string(), z.unknown())
		.nullish()
		.transform(data => data ?? {}),
});
export type RendererAnswer = z.output<typeof RendererAnswer>;

/** Whether the router does it. Error: `WorkerError`. */
export function readRouterAnswer(answer: unknown): boolean {
	return read(RouterAnswer, answer).result;
}

/** Error: `WorkerError`. */
export function readRendererAnswer(answer: unknown): RendererAnswer {
	return read(RendererAnswer, answer);
}

/** Its first fault by its place and nothing else: what stands there is a stranger's. */
function read<Answer>(schema: z.ZodType<Answer>, answer: unknown): Answer {
	const result = schema.safeParse(answer);
	if (result.success) return result.data;
	const [fault] = faultsOf(result.error);
	throw new WorkerError('answer_unexpected', {detail: `see ${fault?.pointer || 'its root'}`});
}
