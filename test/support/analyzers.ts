import type {Analyzers} from '../../src/ingestion/activity-chain/activity-chain.ts';
import {type Analysis, analyse} from '../../src/ingestion/activity-chain/analyse.ts';
import type {AnalyzerLink} from '../../src/plugins/channel-links/analyzer-links.ts';
import type {CallWorker} from '../../src/plugins/worker-client/worker-client.ts';
import type {Channel, TenantView} from '../../src/tenants/directory.ts';

/** A channel that stands in no database. */
export function channelNumber(id: number, datamartId: number): Channel {
	return {
		id,
		datamartId,
		organisationId: 1,
		type: 'SITE',
		name: `channel ${id}`,
		token: `channel${id}`,
		domain: null,
		enableAnalytics: false,
		enableInstallationIdAggregation: false,
		creationTs: 0,
	};
}

/** An analyzer whose plugin worker listens there; without a url nobody has said where. */
export function analyzerAt(
	url: string | undefined,
	analyzerId: number,
	more: {
		readonly strategy?: AnalyzerLink['errorRecoveryStrategy'];
		readonly maxQps?: number;
		/** Analyzers of one plugin version share it. */
		readonly workerId?: string;
	} = {},
): AnalyzerLink {
	const {strategy = 'STORE_WITH_ERROR_ID', maxQps = null, workerId = `worker ${analyzerId}`} = more;
	return {
		analyzerId,
		organisationId: 1,
		pluginId: 1,
		pluginVersionId: analyzerId,
		errorRecoveryStrategy: strategy,
		worker:
			url === undefined
				? undefined
				: {pluginVersionId: analyzerId, url, workerId, authenticationToken: 'secret', maxQps},
	};
}

/** Chains that a test may change while it runs, worked through in this thread. */
export function analyzersOf(
	chains: Map<number, readonly AnalyzerLink[]>,
	directory: TenantView,
	callWorker: CallWorker,
): Analyzers {
	return {
		links: {linksOf: channelId => chains.get(channelId) ?? []},
		directory,
		run: (analysis: Analysis) => analyse(analysis, callWorker),
	};
}
