import type {Payer} from '../../analytics/resource-usage/usage-facts.ts';
import {remembered} from './remembered.ts';
import type {PayersOf} from './usage-writer.ts';

type OwnedDatamart = Payer & {readonly id: number};

const NOBODY: Payer = {communityId: 0, organisationId: 0};

/** Who pays for a datamart, asked for once: it never changes hands. */
export function rememberedPayers(loadDatamarts: () => Promise<readonly OwnedDatamart[]>): PayersOf {
	return remembered(
		loadDatamarts,
		({organisationId, communityId}) => ({organisationId, communityId}),
		NOBODY,
	);
}
