import {z} from 'zod';
import {ContainerOnWire} from './workers.schema.ts';

const LogLevelArgs = z.looseObject({level: z.string().min(1).max(50)});

/** Body: `args` are those of the action. Actions in any letter case. */
export const ContainerActionRequest = z
	.object({
		action: z.string().transform(action => action.toUpperCase()),
		args: z.unknown().optional(),
	})
	.pipe(
		z.discriminatedUnion('action', [
			z.object({action: z.literal('CHECK'), args: z.unknown().optional()}),
			z.object({action: z.literal('GET_METADATA'), args: z.unknown().optional()}),
			z.object({action: z.literal('GET_LOG_LEVEL'), args: z.unknown().optional()}),
			z.object({action: z.literal('SET_LOG_LEVEL'), args: LogLevelArgs}),
		]),
	);

/** `result`: what the plugin worker answered; null where it answers nothing. */
export const ContainerActionAnswer = z.object({
	action: z.string(),
	container: ContainerOnWire,
	result: z.unknown(),
});
