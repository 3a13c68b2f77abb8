import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {parseKeepingNumbers} from '../facts/activity-text.ts';
import {type DeadLetter, isReplayable, REASONS, type ReadLetter} from './dead-letters.ts';

export const DeadLettersQuery = z.looseObject({...PagingQuery.shape, reason: z.enum(REASONS).optional()});

export const DeadLetterOnWire = z.object({
	id: z.string(),
	datamart_id: z.string(),
	reason: z.enum(REASONS),
	message: z.string(),
	replayable: z.boolean(),
	received_ts: z.number(),
	creation_ts: z.number(),
});

export function letterToWire(letter: DeadLetter): z.output<typeof DeadLetterOnWire> {
	return {
		id: String(letter.id),
		datamart_id: String(letter.datamartId),
		reason: letter.reason,
		message: letter.message,
		replayable: isReplayable(letter.reason),
		received_ts: letter.receivedMs,
		creation_ts: letter.createdMs,
	};
}

export const ReadLetterOnWire = DeadLetterOnWire.extend({
	activity: z.unknown(),
	activity_text: z.string().optional(),
	errors: z.array(z.object({pointer: z.string(), message: z.string()})),
});

/** With the activity as it was accepted: `activity` where it can be read as JSON, its bare text otherwise. */
export function readLetterToWire(letter: ReadLetter) {
	return {...letterToWire(letter), ...asJson(letter.text), errors: letter.faults};
}

function asJson(text: string): object {
	try {
		return {activity: parseKeepingNumbers(text)};
	} catch {
		return {activity: null, activity_text: text};
	}
}

export const Replayed = z.object({id: z.string(), result: z.literal('accepted')});
