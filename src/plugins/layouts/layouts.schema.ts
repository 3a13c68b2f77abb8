import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {FlagQuery} from '../../tenants/fields.schema.ts';

/** The specification's, and DYNAMIC_SELECT of newer clients. */
export const FIELD_TYPES = [
	...['TEXTAREA', 'URL', 'DATA_FILE', 'HTML', 'NUMBER', 'SELECT', 'MULTI_SELECT', 'IMAGE', 'INPUT'],
	...['INPUT_NUMBER', 'SWITCH', 'RADIO', 'CHECKBOX', 'DATE', 'DATE_RANGE', 'DYNAMIC_SELECT'],
] as const;

const Choice = z.looseObject({value: z.string(), label: z.string()});

const Field = z.looseObject({
	property_technical_name: z.string(),
	field_type: z.enum(FIELD_TYPES),
	label: z.string(),
	tooltip: z.string().nullish(),
	enum: z.array(Choice).nullish(),
	max_length: z.number().int().nullish(),
	required: z.boolean().nullish(),
});

const Section = z.looseObject({
	title: z.string(),
	sub_title: z.string(),
	fields: z.array(Field),
	advanced_fields: z.array(Field),
});

/** Text or number, since the specification says both; null: no icon. */
const AssetId = z.union([z.string(), z.number().int()], 'must be the id of an asset').nullable();

const Metadata = z.looseObject({
	large_icon_asset_id: AssetId,
	small_icon_asset_id: AssetId,
	display_name: z.string(),
	description: z.string(),
	large_icon_asset_url: z.string().nullish(),
	small_icon_asset_url: z.string().nullish(),
	tooltip: z.string().nullish(),
});

/** How forms show a version's properties (specification, "Plugin layout"). Further keys are kept. */
export const Layout = z.looseObject({
	version: z.string(),
	sections: z.array(Section),
	metadata: Metadata,
});
export type Layout = z.output<typeof Layout>;

export const LayoutQuery = z.looseObject({
	locale: z.string().optional(),
	/** Where there is no layout: the presentation of all properties that stands in for one. */
	default: FlagQuery.default(false),
});
export type LayoutQuery = z.output<typeof LayoutQuery>;

export const LayoutListingQuery = PagingQuery;

export const LayoutOnWire = z.object({layout: Layout});

export const LayoutFileOnWire = z.object({
	file_type: z.enum(['PROPERTIES', 'LOCALE']),
	locale: z.string().optional(),
});

export function layoutFileToWire(locale: string | undefined): z.output<typeof LayoutFileOnWire> {
	return locale === undefined ? {file_type: 'PROPERTIES'} : {file_type: 'LOCALE', locale};
}
