import {randomUUID} from 'node:crypto';
import type {AnalyzerLink} from '../../plugins/channel-links/analyzer-links.ts';
import type {Place} from '../../plugins/worker-client/answer-room.ts';
import type {CallWorker} from '../../plugins/worker-client/worker-client.ts';
import {WorkerError, type WorkerFault} from '../../plugins/worker-client/worker-error.ts';
import {rowCount, type WireActivity} from '../facts/activity.ts';
import {
	hasUnsafeNumbers,
	parseActivity,
	parseKeepingNumbers,
	stringifyKeepingNumbers,
} from '../facts/activity-text.ts';
import {type Passing, readAnswer} from './answer.ts';
import {type Change, changesBetween} from './changes.ts';

/** One activity and the analyzers it goes through. Plain data: a job's input. */
export interface Analysis {
	readonly datamartId: number;
	readonly channelId: number;
	readonly defaultCompartmentId: number;
	/** As JSON text. */
	readonly activity: string;
	/** Of the span it is done in, where traces are configured. */
	readonly traceHeaders?: Readonly<Record<string, string>> | undefined;
	/** In their order. */
	readonly analyzers: readonly AnalyzerLink[];
}

/** One analyzer's turn. */
export interface Step {
	readonly analyzerId: number;
	/** Epoch ms. */
	readonly startedMs: number;
	readonly ms: number;
	readonly tries: number;
	/** What it changed; absent where it failed. */
	readonly changes?: readonly Change[];
	/** What went wrong, in words that quote nothing of the activity. */
	readonly failure?: {readonly errorId: string; readonly fault: WorkerFault; readonly message: string};
}

/** What became of it. Plain data: a job's output. */
export interface Analysed {
	/** What is stored, as JSON text; absent where a failed analyzer's strategy is DROP, and where it is unanalysed. */
	readonly activity?: string;
	/** An analyzer with DROP was never asked, for reasons of this service: the activity becomes a dead letter. */
	readonly unanalysed?: true;
	/** Fact rows it makes. */
	readonly rows: number;
	readonly steps: readonly Step[];
}

/**
 * Sends an activity through its analyzers, each given what the one before made of it. Where one fails its strategy
 * decides (specification, "States and transitions"): pass it on unmodified, store it at once, or drop it.
 */
export async function analyse(analysis: Analysis, callWorker: CallWorker): Promise<Analysed> {
	const steps: Step[] = [];
	let passing: Passing = {activity: parseActivity(analysis.activity), text: analysis.activity};
	let place: Place | undefined;
	try {
		for (const analyzer of analysis.analyzers) {
			const {step, made, place: taken} = await stepOf(analyzer, analysis, passing, callWorker);
			steps.push(step);
			if (made) {
				passing = made;
				place?.leave();
				place = taken;
				continue;
			}
			if (analyzer.errorRecoveryStrategy === 'DROP') {
				return {rows: 0, steps, ...(isOurs(step) && {unanalysed: true})};
			}
			if (analyzer.errorRecoveryStrategy === 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS') break;
		}
		return {activity: marked(passing, steps), rows: rowCount(passing.activity), steps};
	} finally {
		place?.leave();
	}
}

/** Whether nobody asked the analyzer: nothing is thrown away that no analyzer has failed at. */
function isOurs({failure}: Step): boolean {
	return failure?.fault === 'overloaded' || failure?.fault === 'aborted';
}

async function stepOf(
	{analyzerId, worker}: AnalyzerLink,
	analysis: Analysis,
	before: Passing,
	callWorker: CallWorker,
): Promise<{readonly step: Step; readonly made?: Passing; readonly place?: Place | undefined}> {
	const startedMs = Date.now();
	const began = performance.now();
	const told = (tries: number) => ({
		analyzerId,
		startedMs,
		ms: Math.round((performance.now() - began) * 10) / 10,
		tries,
	});
	let tries = 0;
	let place: Place | undefined;
	try {
		if (!worker) throw new WorkerError('missing');
		const body = requestOf(analyzerId, analysis, before.text);
		const answer = await callWorker({
			worker,
			path: '/v1/activity_analysis',
			body,
			isPatient: true,
			keepsPlace: true,
			traceHeaders: analysis.traceHeaders,
		});
		({tries, place} = answer);
		const made = readAnswer(answer, before.activity, analysis.defaultCompartmentId);
		return {step: {...told(tries), changes: changesBetween(before.activity, made.activity)}, made, place};
	} catch (error) {
		place?.leave();
		// Whatever an answer brings about is a failure of the analyzer, never of the chain.
		const {
			fault,
			message,
			tries: tried,
		} = error instanceof WorkerError ? error : new WorkerError('answer_unexpected', {cause: error});
		return {step: {...told(tries || tried), failure: {errorId: randomUUID(), fault, message}}};
	}
}

/** The activity's own text stands in the request, so that its numbers keep their digits. */
function requestOf(analyzerId: number, {datamartId, channelId}: Analysis, activity: string): string {
	const ids = `"activity_analyzer_id":"${analyzerId}","datamart_id":"${datamartId}","channel_id":"${channelId}"`;
	return `{${ids},"activity":${activity}}`;
}

/** `processed_by` and `$error_analyzer_id`, on the activity and its events (decisions.md, Activities). */
function marked({text, activity}: Passing, steps: readonly Step[]): string {
	if (steps.length === 0) return text;
	const processedBy = steps.findLast(step => !step.failure)?.analyzerId;
	const errorId = steps.findLast(step => step.failure)?.failure?.errorId;
	const marks = {
		...(processedBy !== undefined && {processed_by: String(processedBy)}),
		...(errorId !== undefined && {$error_analyzer_id: errorId}),
	};
	const isExact = !hasUnsafeNumbers(text);
	const target = isExact ? {...activity} : parseKeepingNumbers(text);
	Object.assign(target, marks);
	const events = (target as unknown as WireActivity).$events;
	if (events) Object.assign(target, {$events: events.map(event => ({...event, ...marks}))});
	return isExact ? JSON.stringify(target) : stringifyKeepingNumbers(target);
}
