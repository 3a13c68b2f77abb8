import {DomainError, notFound} from '../../errors.ts';
import type {FileKind} from '../../files/data-files/file-kinds.ts';
import {parseId} from '../../lib/ids.ts';
import type {TenantView} from '../../tenants/directory.ts';
import {parseWith} from '../../validation.ts';
import {DashboardFile} from './dashboards.schema.ts';

const MAX_BYTES = 1024 * 1024;
const FOLDER = /^dashboards\/([^/]+)\//;
/** That of one builder, and the one for builders that have none. */
const NAME = /^dashboards\/[^/]+\/AUDIENCE_BUILDER(-[1-9]\d*)?\.json$/;

/**
 * Dashboards of segment builders, as files below `dashboards/<datamart>/`. Errors: `datamart_not_found` where the
 * datamart is none of the organisation's, `json_malformed`, `field_invalid` with every fault.
 */
export function dashboardFiles(directory: TenantView): FileKind {
	return {
		maxBytes: MAX_BYTES,
		claims({organisationId, path}) {
			const [, datamart] = FOLDER.exec(path) ?? [];
			if (datamart === undefined) return false;
			const owner = directory.datamart(parseId(datamart) ?? 0)?.organisationId;
			if (owner !== organisationId) throw notFound('datamart_not_found');
			return NAME.test(path);
		},
		check(bytes) {
			parseWith(DashboardFile, parseText(bytes));
		},
	};
}

function parseText(bytes: Buffer): unknown {
	try {
		return JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
	} catch (error) {
		throw new DomainError('json_malformed', `a dashboard is JSON: ${(error as Error).message.slice(0, 200)}`);
	}
}
