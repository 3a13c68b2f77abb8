import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {absentWhenNull, IdField, NameField} from '../../tenants/fields.schema.ts';
import type {SegmentBuilder} from './segment-builders.ts';

const MAX_FEATURES = 1_000;
const Features = absentWhenNull(z.array(IdField).max(MAX_FEATURES, `must have at most ${MAX_FEATURES} ids`));

/** Both words of the field for one list (field guide, section 0); what else the read shape has means nothing here. */
const fields = {
	datamart_id: absentWhenNull(IdField),
	demographics_features_ids: Features,
	initial_audience_feature_ids: Features,
};

interface Body {
	readonly datamart_id?: number | undefined;
	readonly demographics_features_ids?: number[] | undefined;
	readonly initial_audience_feature_ids?: number[] | undefined;
}

function toChange<Named extends Body & {readonly name?: string | undefined}>(body: Named) {
	return {
		name: body.name as Named['name'],
		datamartId: body.datamart_id,
		featureIds: {
			demographics: body.demographics_features_ids,
			initial: body.initial_audience_feature_ids,
		},
	};
}

export const SegmentBuilderRequest = z.object({...fields, name: NameField}).transform(toChange);

/** Body of PUT: what is absent stays. */
export const SegmentBuilderChangeRequest = z
	.object({...fields, name: absentWhenNull(NameField)})
	.transform(toChange);

export const SegmentBuildersQuery = z.looseObject({...PagingQuery.shape, keywords: z.string().optional()});

export const SegmentBuilderOnWire = z.object({
	id: z.string(),
	datamart_id: z.string(),
	name: z.string(),
	parent_id: z.string().nullable(),
	children_ids: z.array(z.string()),
	audience_features_ids: z.array(z.string()),
	demographics_features_ids: z.array(z.string()),
	initial_audience_feature_ids: z.array(z.string()),
});

/** The union of what readers of the specification and clients in the field look for. */
export function segmentBuilderToWire(builder: SegmentBuilder): z.output<typeof SegmentBuilderOnWire> {
	const features = builder.featureIds.map(String);
	return {
		id: String(builder.id),
		datamart_id: String(builder.datamartId),
		name: builder.name,
		parent_id: null,
		children_ids: [],
		audience_features_ids: features,
		demographics_features_ids: features,
		initial_audience_feature_ids: features,
	};
}
