import {z} from 'zod';
import {DomainError} from '../../errors.ts';
import {PagingQuery} from '../../http/paging.ts';
import {faultsOf} from '../../validation.ts';
import {
	type PluginProperty,
	PROPERTY_ORIGINS,
	type PropertyRequest,
	type PropertyValue,
} from './properties.ts';

const Text = z.string().max(1_000_000);
/** Forms in the field send numbers as text. */
const Numeric = z.union([
	z.number(),
	z
		.string()
		.regex(/^-?\d{1,15}(\.\d{1,15})?$/, 'must be a number')
		.transform(Number),
]);
const MAX_PROPERTIES = 500;
const MAX_INT = 2 ** 31 - 1;
const Int = Numeric.pipe(
	z
		.int()
		.min(-MAX_INT - 1)
		.max(MAX_INT),
);
const Id = z.union([z.string().max(255), z.number()]);

/** Keys beside the known ones are kept. A property may be without a value: its fields are null then. */
function fields(shape: Record<string, z.ZodType>): z.ZodType<PropertyValue> {
	const nullable = Object.entries(shape).map(([name, schema]) => [name, schema.nullish()]);
	return z.looseObject(Object.fromEntries(nullable));
}

/** `{value}`, always there: plugins read `property.value.value`. */
function plain(schema: z.ZodType): z.ZodType<PropertyValue> {
	return z.looseObject({value: schema.nullish().transform(value => value ?? null)});
}

const File = fields({original_file_name: Text, original_name: Text, asset_id: Id, file_path: Text});
const Versioned = fields({id: Id, version: Id});

/** property_type -> the shape of its value (field guide, "Plugins, versions, layouts, presets"). */
const VALUES: Readonly<Record<string, z.ZodType<PropertyValue>>> = {
	STRING: plain(Text),
	DOUBLE: plain(Numeric),
	INT: plain(Int),
	LONG: plain(Numeric.pipe(z.int())),
	BOOLEAN: plain(z.boolean()),
	PIXEL_TAG: plain(Text),
	URL: fields({url: z.union([z.url(), z.literal('')])}),
	ASSET: File,
	ASSET_FILE: File,
	ASSET_FOLDER: fields({original_name: Text, asset_id: Id, path: Text}),
	DATA_FILE: fields({uri: Text, last_modified: z.union([z.number(), Text])}),
	AD_LAYOUT: Versioned,
	STYLE_SHEET: Versioned,
	RECOMMENDER: fields({recommender_id: Id}),
};
const NATIVE = /^NATIVE_[A-Z_]{1,40}$/;

function schemaOf(type: string): z.ZodType<PropertyValue> | undefined {
	if (NATIVE.test(type)) return fields({});
	return Object.hasOwn(VALUES, type) ? VALUES[type] : undefined;
}

/** The value as its type has it. Error: `field_invalid`, the faults' pointers behind `pointer`. */
export function propertyValueOf(type: string, value: unknown, pointer: string): PropertyValue {
	const result = schemaOf(type)!.safeParse(value ?? {});
	if (result.success) return result.data;
	const faults = faultsOf(result.error).map(fault => ({...fault, pointer: pointer + fault.pointer}));
	throw new DomainError('field_invalid', `${faults[0]!.pointer}: ${faults[0]!.message}`, {faults});
}

const TechnicalName = z
	.string()
	.regex(/^[^\s/?#%&\\]{1,255}$/, 'must be 1 to 255 letters that need no escaping in a path');

const PropertyType = z.string().refine(type => schemaOf(type) !== undefined, 'is no type of properties');

/** A property as requests name it; what the value must be is known with the version's own (`assignmentsFor`). */
export const PropertyBody = z
	.looseObject({
		technical_name: TechnicalName,
		property_type: PropertyType.nullish(),
		value: z.unknown().optional(),
	})
	.transform(body => ({
		technicalName: body.technical_name,
		propertyType: body.property_type ?? undefined,
		value: body.value,
	})) satisfies z.ZodType<PropertyRequest>;

/** Body of PUT: the path names the property, and the rest of what a client holds of it may come along. */
export const PropertyChangeBody = z
	.looseObject({
		technical_name: z.string().nullish(),
		property_type: PropertyType.nullish(),
		value: z.unknown().optional(),
	})
	.transform(body => ({
		technicalName: body.technical_name ?? undefined,
		propertyType: body.property_type ?? undefined,
		value: body.value,
	}));

/** A property as a version declares it. */
const DeclaredProperty = z
	.looseObject({
		technical_name: TechnicalName,
		property_type: PropertyType,
		value: z.unknown().optional(),
		origin: z.enum(['PLUGIN_STATIC', 'PLUGIN']).nullish(),
		writable: z.boolean().nullish(),
		deletable: z.boolean().nullish(),
	})
	.transform((body, context): PluginProperty => {
		const origin = body.origin ?? 'PLUGIN';
		const value = schemaOf(body.property_type)!.safeParse(body.value ?? {});
		for (const {path, message} of value.error?.issues ?? []) {
			context.addIssue({code: 'custom', path: ['value', ...path], message});
		}
		return {
			technicalName: body.technical_name,
			propertyType: body.property_type,
			value: value.data ?? {},
			origin,
			// What the plugin fixed nobody writes.
			writable: origin === 'PLUGIN' && (body.writable ?? true),
			deletable: body.deletable ?? false,
		};
	});

/** `plugin_properties` of a version; no two of one name. */
export const DeclaredProperties = z
	.array(DeclaredProperty)
	.max(MAX_PROPERTIES)
	.superRefine((properties, context) => {
		const seen = new Set<string>();
		properties.forEach(({technicalName}, index) => {
			if (seen.has(technicalName)) {
				const path = [index, 'technical_name'];
				context.addIssue({code: 'custom', path, message: 'is the name of another property'});
			}
			seen.add(technicalName);
		});
	});

/** Whole unless a page is asked for: plugin workers ask for none, and need them all. */
export const PropertiesQuery = z.looseObject({
	...PagingQuery.shape,
	max_results: PagingQuery.shape.max_results.unwrap().default(MAX_PROPERTIES),
});

export const PropertyOnWire = z.object({
	technical_name: z.string(),
	property_type: z.string(),
	value: z.record(z.string(), z.unknown()),
	origin: z.enum(PROPERTY_ORIGINS),
	writable: z.boolean(),
	deletable: z.boolean(),
});

export function propertyToWire(property: PluginProperty): z.output<typeof PropertyOnWire> {
	return {
		technical_name: property.technicalName,
		property_type: property.propertyType,
		value: property.value,
		origin: property.origin,
		writable: property.writable,
		deletable: property.deletable,
	};
}
