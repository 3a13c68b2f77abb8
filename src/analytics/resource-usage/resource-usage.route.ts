import type {ErrorCode} from '../../errors.ts';
import {ok} from '../../http/envelope.ts';
import {type Route, route} from '../../http/route.ts';
import {
	CollectionsRequest,
	DataIngestionRequest,
	REPORT_REFUSALS,
	ReportViewAnswer,
	ResourcesUsageRequest,
} from './resource-usage.schema.ts';
import {collectionVolumes, dataIngestion, type MonitoringContext, resourcesUsage} from './resource-usage.ts';

export type ResourceUsageServices = Pick<
	MonitoringContext,
	'warehouse' | 'directory' | 'countPeople' | 'countLetters'
>;

/** The cubes of what is used, kept and taken in (specification, Resource usage; field guide, Reports). */
export function resourceUsageRoutes(services: ResourceUsageServices): Route[] {
	const cube = (
		name: string,
		summary: string,
		body: typeof ResourcesUsageRequest,
		errors: readonly ErrorCode[],
		report: typeof resourcesUsage,
	): Route =>
		route({
			method: 'POST',
			path: `/v1/platform_monitoring/${name}`,
			summary,
			action: 'resource_usage:read',
			body,
			answer: ReportViewAnswer,
			errors,
			async handle({principal, body: request, read}) {
				return ok({report_view: await report({...services, principal, read}, request)});
			},
		});
	const counting: readonly ErrorCode[] = [...REPORT_REFUSALS, 'groups_excessive'];
	return [
		cube(
			'resources_usage',
			'What queries cost and how much data was brought',
			ResourcesUsageRequest,
			REPORT_REFUSALS,
			resourcesUsage,
		),
		cube(
			'collections',
			'How many elements of each collection there are',
			CollectionsRequest,
			counting,
			collectionVolumes,
		),
		cube(
			'data_ingestion',
			'How many events came how far, and what stopped others',
			DataIngestionRequest,
			counting,
			dataIngestion,
		),
	];
}
