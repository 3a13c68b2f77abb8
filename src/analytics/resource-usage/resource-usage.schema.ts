import type {z} from 'zod';
import {dimensionFrom, filterClauseFrom} from '../../query/inputs.ts';
import {reportRequestFrom} from '../../query/report.schema.ts';
import {COLLECTIONS, type CubeCatalogue, DATA_INGESTION, RESOURCES_USAGE} from './cubes.ts';

export {REPORT_REFUSALS, ReportViewAnswer} from '../../query/report.schema.ts';

/** The body of a cube's report; names in any case (specification, Resource usage; field guide, Reports). */
function requestFor({dimensions, metrics}: CubeCatalogue) {
	const dimension = dimensionFrom(name => dimensions.find(each => each.name === name.toUpperCase()));
	return reportRequestFrom({
		dimension,
		clause: filterClauseFrom(dimension),
		findMetric: name => metrics.find(each => each.name === name.toLowerCase()),
	});
}

export const ResourcesUsageRequest = requestFor(RESOURCES_USAGE);
export type ResourcesUsageRequest = z.output<typeof ResourcesUsageRequest>;
export const CollectionsRequest = requestFor(COLLECTIONS);
export const DataIngestionRequest = requestFor(DATA_INGESTION);
