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
	readonly show: (gauge: {
		readonly name: string;
		readonly help: string;
		readonly label?: string;
		readonly read: () => number | Record<Lane, number>;
	}) => void;
}

/** The one place that all questions of callers go through, its routes, and what it tells of itself. */
export function questionServices({show, ...options}: QuestionServicesOptions): {
	readonly questions: Questions;
	readonly routes: Route[];
} {
	const questions = new Questions(options);
	for (const which of ['running', 'waiting'] as const) {
		show({
			name: `millrace_queries_${which}`,
			help: `Queries of callers that are ${which}, by lane`,
			label: 'lane',
			read: () => ({light: questions.count(which, 'light'), heavy: questions.count(which, 'heavy')}),
		});
	}
	show({
		name: 'millrace_query_cache_bytes',
		help: 'What kept answers weigh, about',
		read: () => questions.cacheBytes,
	});
	return {questions, routes: questionsRoutes({questions})};
}
