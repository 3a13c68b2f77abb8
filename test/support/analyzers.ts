import {randomUUID} from 'node:crypto';
import type {Analyzers} from '../../src/ingestion/activity-chain/activity-chain.ts';
import {type Analysis, analyse} from '../../src/ingestion/activity-chain/analyse.ts';
import type {AnalyzerLink} from '../../src/plugins/channel-links/analyzer-links.ts';
import type {CallWorker} from '../../src/plugins/worker-client/worker-client.ts';
import type {Channel, TenantView} from '../../src/tenants/directory.ts';
import type {Client} from './service.ts';

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

export interface LinkedAnalyzer {
	readonly analyzerId: string;
	readonly pluginId: string;
	readonly versionId: string;
}

/** Puts an analyzer with its plugin worker behind a channel, as an administrator does through the API. */
export async function linkAnalyzer(
	client: Client,
	{
		organisationId,
		channelId,
		url,
		strategy = 'STORE_WITH_ERROR_ID',
		maxQps,
	}: {
		readonly organisationId: string;
		readonly channelId: string;
		readonly url: string;
		readonly strategy?: AnalyzerLink['errorRecoveryStrategy'];
		readonly maxQps?: number;
	},
): Promise<LinkedAnalyzer> {
	const must = async (method: string, path: string, body: object) => {
		const answer = await client.request(method, path, body);
		if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
		return answer.body.data;
	};
	const names = {group_id: 'example.shop.activity-analyzer', artifact_id: `artifact-${randomUUID()}`};
	const {id: pluginId} = await must('POST', '/v1/plugins', {
		plugin_type: 'ACTIVITY_ANALYZER',
		organisation_id: organisationId,
		...names,
	});
	const {id: versionId} = await must('POST', `/v1/plugins/${pluginId}/versions`, {
		version_id: '1.0.0',
		plugin_properties: [],
		...(maxQps !== undefined && {max_qps: maxQps}),
	});
	await must('PUT', `/v1/plugins/${pluginId}/versions/${versionId}/worker`, {url});
	const {id: analyzerId} = await must('POST', `/v1/visit_analyzer_models?organisation_id=${organisationId}`, {
		name: 'an analyzer',
		organisation_id: organisationId,
		...names,
		version_id: versionId,
		visit_analyzer_plugin_id: pluginId,
		error_recovery_strategy: strategy,
	});
	await must('POST', `/v1/channels/${channelId}/visit_analyzer_models`, {
		channel_id: channelId,
		visit_analyzer_model_id: analyzerId,
	});
	return {analyzerId: String(analyzerId), pluginId: String(pluginId), versionId: String(versionId)};
}
