import {z} from 'zod';

/** What the web UI draws (field guide, "Data files"). */
export const COMPONENT_TYPES = [
	...['MAP_BAR_CHART', 'MAP_PIE_CHART', 'DATE_AGGREGATION_CHART', 'COUNT', 'PERCENTAGE'],
	...['GAUGE_PIE_CHART', 'MAP_STACKED_BAR_CHART', 'MAP_INDEX_CHART', 'WORLD_MAP_CHART'],
	...['COUNT_BAR_CHART', 'COUNT_PIE_CHART', 'TOP_INFO_COMPONENT', 'MAP_RADAR_CHART'],
] as const;

/** Ids come as texts or numbers. */
const Id = z.union([z.string().min(1, 'must not be empty'), z.number().int()], 'must be an id');

const Layout = z.looseObject({
	h: z.number().int(),
	w: z.number().int(),
	x: z.number().int(),
	y: z.number().int(),
	static: z.boolean().optional(),
});

const Component = z
	.looseObject({
		id: Id,
		component_type: z.enum(COMPONENT_TYPES),
		title: z.string(),
		query_id: Id.nullish(),
		query_ids: z.array(Id).nullish(),
		show_legend: z.boolean().nullish(),
		sortKey: z.string().nullish(),
		percentage: z.boolean().nullish(),
		labels: z
			.looseObject({
				enable: z.boolean().optional(),
				filterValue: z.union([z.string(), z.number()]).optional(),
				format: z.string().optional(),
			})
			.nullish(),
		tooltip: z.looseObject({formatter: z.string().optional()}).nullish(),
		labels_enabled: z.boolean().nullish(),
		plot_labels: z.array(z.string()).nullish(),
	})
	.superRefine((component, context) => {
		// Without its query a component draws nothing; of the other types it is not said which they take.
		const needed = QUERY_OF[component.component_type];
		if (needed === undefined || (component[needed] ?? undefined) !== undefined) return;
		context.addIssue({
			code: 'custom',
			path: [needed],
			message: `is needed by a ${component.component_type}`,
		});
	});

const QUERY_OF: Readonly<Record<string, 'query_id' | 'query_ids'>> = {
	COUNT: 'query_id',
	MAP_BAR_CHART: 'query_id',
	COUNT_BAR_CHART: 'query_ids',
};

/** A dashboard file: an array (specification, "Dashboard"). Further keys are the UI's own and are kept. */
export const DashboardFile = z.array(
	z.looseObject({
		id: Id,
		name: z.string(),
		type: z.literal('AUDIENCE_BUILDER'),
		datamart_id: Id,
		components: z.array(z.looseObject({layout: Layout, component: Component})),
	}),
	'must be an array of dashboards',
);
