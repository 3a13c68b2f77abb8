import {isDeepStrictEqual} from 'node:util';
import {DomainError, invalidField, notFound} from '../../errors.ts';
import {propertyValueOf} from './properties.schema.ts';

/** Where a value comes from: fixed by the plugin, the plugin's default, or the instance's own. */
export const PROPERTY_ORIGINS = ['PLUGIN_STATIC', 'PLUGIN', 'INSTANCE'] as const;

export type PropertyOrigin = (typeof PROPERTY_ORIGINS)[number];

/** An object whose fields the type says: `{value}`, `{url}`, `{asset_id, file_path, ...}`; never null itself. */
export type PropertyValue = Readonly<Record<string, unknown>>;

/** What a preset carries, and what an override is made of. */
export interface PropertyAssignment {
	readonly technicalName: string;
	readonly propertyType: string;
	readonly value: PropertyValue;
}

/** An instance's own value; `fixed` ones came from a preset, and stay. */
export interface Override extends PropertyAssignment {
	readonly fixed: boolean;
}

/** A property as a version declares it, or as an instance has it (specification, "Plugin property"). */
export interface PluginProperty extends PropertyAssignment {
	readonly origin: PropertyOrigin;
	readonly writable: boolean;
	readonly deletable: boolean;
}

/** As a request names it; the type, where given, must be the declared one. */
export interface PropertyRequest {
	readonly technicalName: string;
	readonly propertyType?: string | undefined;
	readonly value?: unknown;
}

/** The same where the path names the property. */
export type PropertyChange = Omit<PropertyRequest, 'technicalName'> & {
	readonly technicalName?: string | undefined;
};

/**
 * The values a request gives to properties that a version declares: each known, of its type, no name twice.
 * `pointer` is where the list stands in the body. Error: `field_invalid`.
 */
export function assignmentsFor(
	declared: readonly PluginProperty[],
	requests: readonly PropertyRequest[],
	pointer: string,
): PropertyAssignment[] {
	const seen = new Set<string>();
	return requests.map((request, index) => {
		const at = `${pointer}/${index}`;
		const property = declared.find(({technicalName}) => technicalName === request.technicalName);
		if (!property) throw invalidField(`${at}/technical_name`, 'is no property of the plugin version');
		if (seen.has(property.technicalName)) throw invalidField(`${at}/technical_name`, 'stands here twice');
		seen.add(property.technicalName);
		return assign(property, request, at);
	});
}

function assign(
	{technicalName, propertyType}: PluginProperty,
	request: Omit<PropertyRequest, 'technicalName'>,
	pointer: string,
): PropertyAssignment {
	if (request.propertyType !== undefined && request.propertyType !== propertyType) {
		throw invalidField(`${pointer}/property_type`, `is ${propertyType} in the plugin version`);
	}
	const value = propertyValueOf(propertyType, request.value, `${pointer}/value`);
	return {technicalName, propertyType, value};
}

/**
 * What an instance's properties are: the version's, each with the instance's own value in place. An override that the
 * version no longer declares, or of another type, waits for a version that does.
 */
export function propertiesWith(
	declared: readonly PluginProperty[],
	overrides: readonly Override[],
): PluginProperty[] {
	const own = new Map(overrides.map(override => [override.technicalName, override]));
	return declared.map(property => {
		const override = own.get(property.technicalName);
		if (!override || override.propertyType !== property.propertyType) return property;
		return {
			...property,
			value: override.value,
			origin: 'INSTANCE',
			writable: property.writable && !override.fixed,
			deletable: !override.fixed,
		};
	});
}

/** Of the properties as they are. Errors: `plugin_property_not_found`. */
export function propertyNamed(properties: readonly PluginProperty[], technicalName: string): PluginProperty {
	const property = properties.find(each => each.technicalName === technicalName);
	if (!property) throw notFound('plugin_property_not_found');
	return property;
}

/**
 * A new value for one property; undefined where it has that value already, so that a form may send all it holds.
 * Errors: `plugin_property_fixed`, `field_invalid`.
 */
export function changeOf(property: PluginProperty, request: PropertyChange): PropertyAssignment | undefined {
	if (request.technicalName !== undefined && request.technicalName !== property.technicalName) {
		throw invalidField('/technical_name', 'is not the property of the path');
	}
	const change = assign(property, request, '');
	if (isDeepStrictEqual(change.value, property.value)) return undefined;
	if (!property.writable) throw fixed(property);
	return change;
}

/** Throws `plugin_property_fixed` unless the instance's own value may be taken away. */
export function assertDeletable(property: PluginProperty): void {
	if (property.origin !== 'INSTANCE' || !property.deletable) throw fixed(property);
}

function fixed({technicalName, origin}: PluginProperty): DomainError {
	const why = origin === 'INSTANCE' ? 'a preset set it' : 'the plugin set it';
	return new DomainError('plugin_property_fixed', `${technicalName} cannot be changed: ${why}`);
}
