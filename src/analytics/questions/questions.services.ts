import type {Route} from '../../http/route.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {QuestionMeters} from './question-meters.ts';
import {questionsRoutes} from './questions.route.ts';
import {type QuestionLimits, Questions, type VersionOf} from './questions.ts';
import type {Lane} from './slots.ts';

export interface QuestionServicesOptions {
	readonly limits: QuestionLimits;
	readonly directory: TenantView;
	readonly versionOf?: VersionOf;
	readonly meters: QuestionMeters;
	/** Shows a number that is read when it is asked for. */
	readonly gauge: (name: string, help: string, read: () => number) => void;
}

/** The one place that all questions of callers go through, its routes, and what it tells of itself. */
export function questionServices({gauge, ...options}: QuestionServicesOptions): {
	readonly questions: Questions;
	readonly routes: Route[];
} {
	const questions = new Questions(options);
	for (const lane of ['light', 'heavy'] as const satisfies readonly Lane[]) {
		gauge(`millrace_queries_running_${lane}`, `Queries of callers that run in the ${lane} lane`, () =>
			questions.count('running', lane),
		);
		gauge(`millrace_queries_waiting_${lane}`, `Queries of callers that wait for the ${lane} lane`, () =>
			questions.count('waiting', lane),
		);
	}
	gauge('millrace_query_cache_bytes', 'What kept answers weigh, about', () => questions.cacheBytes);
	return {questions, routes: questionsRoutes({questions})};
}
