import {DomainError, invalidField, notFound} from '../../errors.ts';
import type {SegmentBuilderStore} from './segment-builders.store.ts';

/** A form by which people build segments from chosen audience features. */
export interface SegmentBuilder {
	readonly id: number;
	readonly datamartId: number;
	readonly name: string;
	/** In the order they are shown. */
	readonly featureIds: readonly number[];
}

/** What a client sends: the field's two words for one list may both be there. */
export interface SegmentBuilderChange {
	readonly name?: string | undefined;
	readonly datamartId?: number | undefined;
	readonly featureIds: {
		readonly demographics?: readonly number[] | undefined;
		readonly initial?: readonly number[] | undefined;
	};
}

export const MAX_BUILDERS = 20;

/** Clients in the field match on this text (field guide, section 1). */
export function buildersExcessive(): DomainError {
	return new DomainError(
		'segment_builders_excessive',
		`The limit of ${MAX_BUILDERS} authorized audience builders has been reached`,
	);
}

/** Errors: `segment_builders_excessive`, `field_invalid` naming the field. */
export function createSegmentBuilder(
	store: SegmentBuilderStore,
	datamartId: number,
	request: SegmentBuilderChange & {readonly name: string},
): Promise<SegmentBuilder> {
	assertDatamart(request, datamartId);
	return store.create({datamartId, name: request.name, featureIds: featuresOf(request, []) ?? []});
}

/** What is absent stays. Errors: `segment_builder_not_found`, `field_invalid` naming the field. */
export async function updateSegmentBuilder(
	store: SegmentBuilderStore,
	key: Pick<SegmentBuilder, 'id' | 'datamartId'>,
	request: SegmentBuilderChange,
): Promise<SegmentBuilder> {
	assertDatamart(request, key.datamartId);
	const current = await getSegmentBuilder(store, key);
	const featureIds = featuresOf(request, current.featureIds);
	const updated = await store.update(key, {name: request.name, featureIds});
	if (!updated) throw notFound('segment_builder_not_found');
	return updated;
}

/** Error: `segment_builder_not_found`, where it is another datamart's too. */
export async function getSegmentBuilder(
	store: SegmentBuilderStore,
	key: Pick<SegmentBuilder, 'id' | 'datamartId'>,
): Promise<SegmentBuilder> {
	const builder = await store.find(key);
	if (!builder) throw notFound('segment_builder_not_found');
	return builder;
}

/** Error: `segment_builder_not_found`. */
export async function removeSegmentBuilder(
	store: SegmentBuilderStore,
	key: Pick<SegmentBuilder, 'id' | 'datamartId'>,
): Promise<void> {
	if (!(await store.remove(key))) throw notFound('segment_builder_not_found');
}

function assertDatamart(request: SegmentBuilderChange, datamartId: number): void {
	if (request.datamartId === undefined || request.datamartId === datamartId) return;
	throw invalidField('/datamart_id', 'is not the datamart of the address');
}

/** A client that knows one of the two words sends the other back as it read it: what differs from `current` is meant. */
function featuresOf(
	{featureIds: {demographics, initial}}: SegmentBuilderChange,
	current: readonly number[],
): readonly number[] | undefined {
	if (demographics === undefined || initial === undefined) return initial ?? demographics;
	if (isSame(demographics, initial) || isSame(demographics, current)) return initial;
	if (isSame(initial, current)) return demographics;
	throw invalidField('/initial_audience_feature_ids', 'is not the same list as demographics_features_ids');
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
	return a.length === b.length && a.every((id, i) => id === b[i]);
}
