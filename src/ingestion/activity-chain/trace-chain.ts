import {traced, traceHeaders, tracePast} from '../../lib/tracer.ts';
import type {Analysed, Analysis} from './analyse.ts';

/** A chain as a span, and its analyzers' turns, which are timed in another thread, as spans in it. */
export function traceChain(
	analysis: Analysis,
	run: (analysis: Analysis) => Promise<Analysed>,
): Promise<Analysed> {
	return traced('activity_chain', {analyzers: analysis.analyzers.length}, async () => {
		const headers = traceHeaders();
		const analysed = await run(headers ? {...analysis, traceHeaders: headers} : analysis);
		for (const {analyzerId, startedMs, ms, tries, failure} of analysed.steps) {
			const attributes = {path: '/v1/activity_analysis', analyzer_id: analyzerId, tries};
			tracePast('plugin_worker.call', {startedMs, ms}, attributes, failure?.fault);
		}
		return analysed;
	});
}
