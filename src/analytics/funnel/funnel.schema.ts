import {z} from 'zod';
import {
	addFault,
	dimensionFor,
	EVERY_ROW,
	filterClauseFor,
	type NamedDimension,
	Period,
} from '../../query/inputs.ts';
import {AsOfText} from './as-of.schema.ts';

const MAX_STEPS = 32;
/** The engine plans a statement in one go that nothing interrupts: these bound it to about a second. */
const MAX_SPLITS = 8;
const MAX_EXCLUSIONS = 8;
const MAX_FILTERS = 500;
/** Of a smaller share nothing could be told. */
const LEAST_SAMPLE = 1e-6;
const DAY_MS = 86_400_000;

const Clause = filterClauseFor('funnel_filter');
const Split = dimensionFor('funnel_split');

/** As clients send it; `filterClause` and `group_by_dimension` are older spellings. Other keys, such as `id`, are ignored. */
const Step = z
	.object({
		name: z.string().nullish(),
		filter_clause: Clause,
		filterClause: Clause,
		group_by_dimensions: z.array(Split).nullish(),
		group_by_dimension: Split.nullish(),
		/** Days of 86,400,000 ms, fractions too; absent, null and 0: none. */
		max_days_after_previous_step: z.number().nonnegative().nullish(),
	})
	.transform(step => ({
		name: step.name ?? '',
		clause: step.filter_clause ?? step.filterClause ?? EVERY_ROW,
		windowMs: windowMs(step.max_days_after_previous_step ?? 0),
		splitBy: distinct([
			...(step.group_by_dimensions ?? []),
			...(step.group_by_dimension ? [step.group_by_dimension] : []),
		]),
	}));
export type FunnelStep = z.output<typeof Step>;

const Exclusion = z
	.object({after_step: z.number().int().positive(), filter_clause: Clause})
	.transform(exclusion => ({afterStep: exclusion.after_step, clause: exclusion.filter_clause ?? EVERY_ROW}));

const Steps = z
	.array(Step)
	.nullish()
	.transform((steps, context) => {
		if (steps?.length && steps.length <= MAX_STEPS) return steps;
		if (steps?.length) addFault(context, 'steps_excessive', `${steps.length} steps; at most ${MAX_STEPS}`);
		else addFault(context, 'steps_missing', 'a funnel has at least one step');
		return z.NEVER;
	});

const GroupLimit = z.number().int().positive().nullish();

/** '' is none, as null is. */
const Holding = z.preprocess(
	name => (name === '' ? undefined : name),
	dimensionFor('funnel_split', 'as a holding dimension').nullish(),
);

/** As clients send it: field guide, Funnel; decisions.md, Reports and funnels. */
export const FunnelBody = z.object({
	for: Steps,
	in: Period,
	limit: GroupLimit,
	/** What is asked as `limit` where that is absent. */
	number_of_parts_to_split_on: GroupLimit,
	exclusions: z.array(Exclusion).nullish(),
	/** All rows of a chain share one value of it. */
	holding_dimension: Holding,
	/** Also median and histogram of each step. */
	time_to_convert: z.boolean().nullish(),
	/** Share of the user points that is looked at; counts and sums are scaled back. */
	sample_factor: z.number().min(LEAST_SAMPLE).max(1).nullish(),
	/** As a list of user points told it: the answer as of then. */
	as_of: AsOfText.nullish(),
});

/** Wire (snake_case) to question (camelCase), with what only shows when the whole of it is seen. */
export function toFunnelRequest(body: z.output<typeof FunnelBody>, context: z.RefinementCtx) {
	const exclusions = body.exclusions ?? [];
	const splits = body.for.reduce((sum, step) => sum + step.splitBy.length, 0);
	if (splits > MAX_SPLITS) {
		addFault(context, 'field_invalid', `${splits} split dimensions; at most ${MAX_SPLITS} a funnel`, ['for']);
	}
	if (exclusions.length > MAX_EXCLUSIONS) {
		const text = `${exclusions.length} exclusions; at most ${MAX_EXCLUSIONS} a funnel`;
		addFault(context, 'field_invalid', text, ['exclusions']);
	}
	const clauses = [...body.for, ...exclusions].map(({clause}) => clause);
	const filters = clauses.reduce((sum, clause) => sum + clause.filters.length, 0);
	if (filters > MAX_FILTERS) {
		addFault(context, 'field_invalid', `${filters} filters; at most ${MAX_FILTERS} a funnel`, ['for']);
	}
	exclusions.forEach((exclusion, index) => {
		if (exclusion.afterStep < body.for.length) return;
		const path = ['exclusions', index, 'after_step'];
		addFault(context, 'field_invalid', 'lies after the last step: nothing follows it', path);
	});
	return {
		steps: body.for,
		period: body.in,
		exclusions,
		maxGroups: body.limit ?? body.number_of_parts_to_split_on ?? undefined,
		holding: body.holding_dimension ?? undefined,
		timeToConvert: body.time_to_convert ?? false,
		sampleFactor: body.sample_factor ?? 1,
		asOf: body.as_of ?? undefined,
	};
}

export const FunnelRequest = FunnelBody.transform(toFunnelRequest);
export type FunnelRequest = z.output<typeof FunnelRequest>;

const TimesWire = z.object({
	median: z.number(),
	histogram: z.array(z.object({from: z.number(), until: z.number().nullable(), count: z.number()})),
});

const NumbersWire = z.object({
	total: z.number(),
	steps: z.array(
		z.object({
			name: z.string(),
			count: z.number(),
			interaction_duration: z.number(),
			conversion: z.number().optional(),
			amount: z.number().optional(),
			time_to_convert: TimesWire.optional(),
		}),
	),
});

/** The answer, for the document of the interface: `Funnel` in funnel.ts says what its fields are. */
export const FunnelWire = z.object({
	global: NumbersWire,
	grouped_by: z.array(
		z.object({
			dimension_names: z.array(z.string()),
			dimension_values: z.array(z.string().nullable()),
			dimension_name: z.string().optional(),
			dimension_value: z.string().nullable().optional(),
			dimension_decorator: z.string().optional(),
			funnel: NumbersWire,
		}),
	),
	sampling: z.object({sample_factor: z.number(), user_points: z.number()}).optional(),
});

function distinct(splits: readonly NamedDimension[]): NamedDimension[] {
	return splits.filter((one, at) => splits.findIndex(each => each.dimension === one.dimension) === at);
}

/** Undefined where nothing is demanded. The hair above swallows the error of binary fractions such as 0.3 days. */
function windowMs(days: number): number | undefined {
	return days === 0 ? undefined : Math.floor(days * DAY_MS + 1e-3);
}
