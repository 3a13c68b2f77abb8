import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {parseKeepingNumbers} from '../facts/activity-text.ts';
import {type DeadLetter, isReplayable, REASONS, type ReadLetter} from './dead-letters.ts';

export const DeadLettersQuery = z.looseObject({...PagingQuery.shape, reason: z.enum(REASONS).optional()});

export function letterToWire(letter: DeadLetter) {
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
