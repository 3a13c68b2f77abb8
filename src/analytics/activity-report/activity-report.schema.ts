import {z} from 'zod';
import {dimensionFor, filterClauseFor} from '../../query/inputs.ts';
import {findMetric} from '../../query/metrics.ts';
import {reportRequestFrom} from '../../query/report.schema.ts';

export {REPORT_REFUSALS, ReportViewAnswer} from '../../query/report.schema.ts';

/** Field guide, Reports. */
export const ActivityReportRequest = reportRequestFrom({
	dimension: dimensionFor('activity_report'),
	clause: filterClauseFor('activity_report'),
	findMetric,
});
export type ActivityReportRequest = z.output<typeof ActivityReportRequest>;

/** Which dimensions of the catalogue are wanted. */
export const DimensionsQuery = z.looseObject({
	is_available_for_funnel: z.enum(['true', 'false']).optional(),
});

export const DimensionsOnWire = z.object({
	dimensions: z.array(z.object({value: z.string(), label: z.string()})),
});
