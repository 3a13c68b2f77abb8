import type {PluginType} from '../catalogue/plugins.ts';

/** One version of a plugin, with what names the plugin. */
export interface PluginVersion {
	readonly id: number;
	readonly pluginId: number;
	readonly organisationId: number;
	readonly pluginType: PluginType;
	readonly groupId: string;
	readonly artifactId: string;
	/** As its developer calls it: `1.0.0`; `version_id` on the wire. */
	readonly versionValue: string;
	readonly maintainerId: number | null;
	readonly buildTag: string | null;
	readonly imageName: string | null;
	/** Calls a second of all its instances together; null: no limit. */
	readonly maxQps: number | null;
	readonly archived: boolean;
	readonly creationTs: number;
	/** Whether somebody said where its plugin worker is. */
	readonly hasWorker: boolean;
}
