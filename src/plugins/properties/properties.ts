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

/** A property as a version declares it, or as an instance has it (specification, "Plugin property"). */
export interface PluginProperty extends PropertyAssignment {
	readonly origin: PropertyOrigin;
	readonly writable: boolean;
	readonly deletable: boolean;
}
