import {DomainError} from '../../errors.ts';
import type {WorkerAnswer} from '../../plugins/worker-client/worker-client.ts';
import {WorkerError} from '../../plugins/worker-client/worker-error.ts';
import type {WireActivity} from '../facts/activity.ts';
import {hasUnsafeNumbers, parseKeepingNumbers, stringifyKeepingNumbers} from '../facts/activity-text.ts';
import {checkShape} from '../user-activities/accept.ts';
import {canonical, identifierPlaces} from '../user-points/identifiers.ts';

/** An activity between two analyzers. */
export interface Passing {
	readonly activity: WireActivity;
	/** The same as JSON text, its numbers with all their digits. */
	readonly text: string;
}

/**
 * What an analyzer made of an activity, where it may be stored: `{status: 'ok', data}` with an activity that a door
 * would take and the identifiers it came with. Errors: `WorkerError`.
 */
export function readAnswer(
	answer: WorkerAnswer,
	before: WireActivity,
	defaultCompartmentId: number,
): Passing {
	const {status, data} = (asObject(answer.json()) ?? {}) as {status?: unknown; data?: unknown};
	if (status === 'error') throw unexpected('it says that it failed');
	if (status !== 'ok') throw unexpected('its status is neither ok nor error');
	if (!asObject(data)) throw unexpected('its data is no activity');
	const activity = checked(data);
	const identifiers = identifiersOf(before, defaultCompartmentId);
	const now = identifiersOf(activity, defaultCompartmentId);
	if (identifiers.size !== now.size || [...identifiers].some(identifier => !now.has(identifier))) {
		throw unexpected('it changes the identifiers of the activity');
	}
	return {activity, text: textOf(answer.text, data)};
}

/** Each identifier with its address, where it has one. */
function identifiersOf(activity: WireActivity, defaultCompartmentId: number): ReadonlySet<string> {
	const places = identifierPlaces(activity, defaultCompartmentId);
	return new Set(places.map(({identifier}) => `${canonical(identifier)}|${identifier.email ?? ''}`));
}

function checked(data: unknown): WireActivity {
	try {
		return checkShape(data);
	} catch (error) {
		if (!(error instanceof DomainError)) throw error;
		// Its place and nothing else: messages of the schema may quote a value.
		const [fault] = error.faults;
		throw unexpected(`its data is no valid activity${fault ? ` at ${fault.pointer || 'its root'}` : ''}`);
	}
}

function textOf(answer: string, data: unknown): string {
	if (!hasUnsafeNumbers(answer)) return JSON.stringify(data);
	return stringifyKeepingNumbers(parseKeepingNumbers(answer).data);
}

function asObject(value: unknown): object | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

function unexpected(detail: string): WorkerError {
	return new WorkerError('answer_unexpected', {detail});
}
