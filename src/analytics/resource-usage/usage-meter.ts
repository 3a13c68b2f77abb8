import type {Logger} from 'pino';
import type {Principal} from '../../identity/principal.ts';
import type {Journal, NewRecord} from '../../ingestion/journal/journal.ts';
import type {TenantView} from '../../tenants/directory.ts';
import type {QueryCost} from '../../warehouse/warehouse.ts';
import {encodeQueryUsage, type Payer} from './usage-facts.ts';

/** Who runs a query, and over what. */
export interface Caller {
	readonly principal: Principal;
	readonly datamart?: (Payer & {readonly id: number}) | undefined;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Is told what a caller's queries cost; the answer waits until that is durable. */
export type ChargeQuery = (cost: QueryCost) => Promise<void>;

export interface UsageMeterOptions {
	readonly journal: Pick<Journal, 'append'>;
	readonly directory: TenantView;
	/** Names in the `X-<brand>-OTQL-Source` header, lower case. */
	readonly brands: readonly string[];
	readonly log: Logger;
}

/** What clients say is `DASHBOARD:HOME_DASHBOARD`; anything longer or stranger is not kept. */
const SOURCE = /^(?<source>[\w.-]{1,64})(?::(?<subSource>[\w.-]{1,64}))?$/;
const MOST_HELD = 10_000;

/**
 * Writes down what each query run for a caller cost: into the journal, before the answer is sent, so that no crash
 * forgets a query somebody has an answer of. The drain makes facts of it (docs/adr/0020).
 * Where the journal cannot be written the answer goes out all the same, and the cost is held and tried again with the
 * next one's: it is lost only if the process ends before the disk recovers.
 */
export class UsageMeter {
	readonly #options: UsageMeterOptions;
	readonly #headers: readonly string[];
	#held: NewRecord[] = [];

	constructor(options: UsageMeterOptions) {
		this.#options = options;
		this.#headers = options.brands.map(brand => `x-${brand.toLowerCase()}-otql-source`);
	}

	chargeTo(caller: Caller): ChargeQuery {
		return cost => this.#append([this.#recordOf(caller, cost)]);
	}

	/** A last try for what is held. */
	async close(): Promise<void> {
		if (this.#held.length > 0) await this.#append([]);
	}

	#recordOf(caller: Caller, {name, queryId, rowsRead, bytesRead}: QueryCost): NewRecord {
		return {
			usage: true,
			datamartId: caller.datamart?.id ?? 0,
			defaultCompartmentId: 0,
			receivedMs: Date.now(),
			rows: 1,
			userAgent: '',
			body: encodeQueryUsage({
				...payerOf(caller, this.#options.directory),
				...this.#sourceOf(caller),
				userId: caller.principal.kind === 'user' ? caller.principal.userId : 0,
				resourceId: name,
				executionId: queryId,
				scanCost: rowsRead,
				readCost: bytesRead,
			}),
		};
	}

	#sourceOf({headers}: Caller): {source: string; subSource: string} {
		const said = this.#headers.map(name => headers[name]).find(value => typeof value === 'string');
		const {source = 'API', subSource = ''} = SOURCE.exec(String(said ?? ''))?.groups ?? {};
		return {source, subSource};
	}

	/** The journal's bound is for activities: a question is not refused because they pile up. */
	async #append(records: readonly NewRecord[]): Promise<void> {
		const all = [...this.#held, ...records];
		this.#held = [];
		try {
			await this.#options.journal.append(all, {pastBound: true});
		} catch (error) {
			const kept = [...all, ...this.#held];
			this.#held = kept.slice(-MOST_HELD);
			this.#options.log.warn(
				{error, held: this.#held.length, lost: kept.length - this.#held.length},
				'usage is held back',
			);
		}
	}
}

/** Of a question over no datamart: the caller's own organisation. */
function payerOf({principal, datamart}: Caller, directory: TenantView): Payer {
	if (datamart) return {communityId: datamart.communityId, organisationId: datamart.organisationId};
	const organisationId =
		principal.kind === 'user' ? (principal.roles[0]?.organisationId ?? 0) : principal.organisationId;
	return {organisationId, communityId: directory.organisation(organisationId)?.communityId ?? 0};
}
