import type {Database} from '../../postgres/database.ts';
import type {ErrorRecoveryStrategy} from '../instances/instances.ts';
import type {AnalyzerChains, AnalyzerLink} from './analyzer-links.ts';

/** A sealed token as `plugin_workers` has it, in the clear. */
export type OpenToken = (sealed: Buffer) => string;

interface Row {
	channel_id: number;
	instance_id: number;
	organisation_id: number;
	plugin_id: number;
	plugin_version_id: number;
	error_recovery_strategy: ErrorRecoveryStrategy;
	max_qps: number | null;
	url: string | null;
	worker_id: string | null;
	token_sealed: Buffer | null;
}

/** Every channel that has analyzers, with them in their order. */
export async function loadAnalyzerChains(database: Database, openToken: OpenToken): Promise<AnalyzerChains> {
	const rows: Row[] = await database.run(sql =>
		sql('channel_analyzers as link')
			.join('plugin_instances as instance', 'instance.id', 'link.instance_id')
			.join('plugin_versions as version', 'version.id', 'instance.plugin_version_id')
			.leftJoin('plugin_workers as worker', 'worker.plugin_version_id', 'version.id')
			.select(
				...['link.channel_id', 'link.instance_id', 'instance.organisation_id', 'instance.plugin_id'],
				...['instance.plugin_version_id', 'instance.error_recovery_strategy', 'version.max_qps'],
				...['worker.url', 'worker.worker_id', 'worker.token_sealed'],
			)
			.orderBy(['link.channel_id', 'link.execution_order']),
	);
	const chains = new Map<number, AnalyzerLink[]>();
	for (const row of rows) {
		const chain = chains.get(row.channel_id);
		if (chain) chain.push(fromRow(row, openToken));
		else chains.set(row.channel_id, [fromRow(row, openToken)]);
	}
	return chains;
}

function fromRow(row: Row, openToken: OpenToken): AnalyzerLink {
	const {url, worker_id: workerId, token_sealed: sealed} = row;
	return {
		analyzerId: row.instance_id,
		organisationId: row.organisation_id,
		pluginId: row.plugin_id,
		pluginVersionId: row.plugin_version_id,
		errorRecoveryStrategy: row.error_recovery_strategy,
		worker:
			url === null || workerId === null || sealed === null
				? undefined
				: {
						pluginVersionId: row.plugin_version_id,
						url,
						workerId,
						authenticationToken: openToken(sealed),
						maxQps: row.max_qps,
					},
	};
}
