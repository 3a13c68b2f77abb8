import type {Payer} from '../../analytics/resource-usage/usage-facts.ts';
import type {PayersOf} from './usage-writer.ts';

type OwnedDatamart = Payer & {readonly id: number};

const NOBODY: Payer = {communityId: 0, organisationId: 0};

/** Who pays for a datamart, asked for once: it never changes hands, and a new one is in no journal before it is there. */
export function rememberedPayers(loadDatamarts: () => Promise<readonly OwnedDatamart[]>): PayersOf {
	const known = new Map<number, Payer>();
	return async datamartIds => {
		if (datamartIds.some(id => !known.has(id))) {
			for (const {id, organisationId, communityId} of await loadDatamarts()) {
				known.set(id, {organisationId, communityId});
			}
			for (const id of datamartIds) if (!known.has(id)) known.set(id, NOBODY);
		}
		return known;
	};
}
