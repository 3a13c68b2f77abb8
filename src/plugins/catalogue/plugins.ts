/** The seven kinds of plugins (specification, "Presets"). */
export const PLUGIN_TYPES = [
	'ACTIVITY_ANALYZER',
	'DISPLAY_AD_RENDERER',
	'AUDIENCE_SEGMENT_EXTERNAL_FEED',
	'EMAIL_ROUTER',
	'EMAIL_TEMPLATE_RENDERER',
	'ATTRIBUTION_PROCESSOR',
	'SCENARIO_CUSTOM_ACTION',
] as const;

export type PluginType = (typeof PLUGIN_TYPES)[number];

/** Named by its developer's group and artifact; no two of an organisation share both. */
export interface Plugin {
	readonly id: number;
	readonly organisationId: number;
	readonly pluginType: PluginType;
	readonly groupId: string;
	readonly artifactId: string;
	/** The version that new instances take where they name none; null: there is none yet. */
	readonly currentVersionId: number | null;
	readonly archived: boolean;
	readonly creationTs: number;
}
