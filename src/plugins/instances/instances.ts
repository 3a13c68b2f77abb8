import type {PluginType} from '../catalogue/plugins.ts';

/** What becomes of an activity when an analyzer fails (specification, "States and transitions"). */
export const ERROR_RECOVERY_STRATEGIES = [
	'STORE_WITH_ERROR_ID',
	'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS',
	'DROP',
] as const;

export type ErrorRecoveryStrategy = (typeof ERROR_RECOVERY_STRATEGIES)[number];

/** A plugin put to use by an organisation, with what names its version. */
export interface PluginInstance {
	readonly id: number;
	readonly organisationId: number;
	readonly name: string;
	readonly pluginType: PluginType;
	readonly pluginId: number;
	readonly pluginVersionId: number;
	readonly versionValue: string;
	readonly groupId: string;
	readonly artifactId: string;
	/** Of activity analyzers alone. */
	readonly errorRecoveryStrategy: ErrorRecoveryStrategy | null;
	readonly presetId: number | null;
	readonly creationTs: number;
}
