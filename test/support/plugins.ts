import {randomUUID} from 'node:crypto';
import type {PluginType} from '../../src/plugins/catalogue/plugins.ts';
import type {Answer, Client} from './service.ts';

/** The networks that plugin workers of tests listen in. */
export const LOCAL_WORKERS = {PLUGIN_WORKER_ALLOWED_NETWORKS: '127.0.0.0/8'};

// biome-ignore lint/suspicious/noExplicitAny: as answers are.
type Json = any;

export const PROPERTIES = [
	{
		technical_name: 'provider',
		property_type: 'STRING',
		value: {value: 'Example'},
		origin: 'PLUGIN_STATIC',
		writable: false,
		deletable: false,
	},
	{technical_name: 'name', property_type: 'STRING', value: {value: 'Cleaner'}, origin: 'PLUGIN_STATIC'},
	{technical_name: 'field', property_type: 'STRING', value: {value: 'page'}},
	{technical_name: 'is_strict', property_type: 'BOOLEAN', value: {value: null}},
	{technical_name: 'limit', property_type: 'INT', value: {value: 3}, writable: true, deletable: true},
];

export interface TestPlugin {
	readonly plugin: Json;
	readonly version: Json;
	/** `/v1/plugins/:pluginId/versions/:versionId`. */
	readonly path: string;
}

/** A plugin with a version, made through the interface. */
export async function makePlugin(
	client: Client,
	organisationId: string,
	pluginType: PluginType = 'ACTIVITY_ANALYZER',
	version: object = {},
): Promise<TestPlugin> {
	const plugin = data(
		await client.post('/v1/plugins', {
			plugin_type: pluginType,
			organisation_id: organisationId,
			group_id: `org.example.${pluginType.toLowerCase().replaceAll('_', '-')}`,
			artifact_id: `plugin-${randomUUID()}`,
		}),
	);
	const made = data(
		await client.post(`/v1/plugins/${plugin.id}/versions`, {
			version_id: '1.0.0',
			plugin_properties: PROPERTIES,
			...version,
		}),
	);
	return {plugin, version: made, path: `/v1/plugins/${plugin.id}/versions/${made.id}`};
}

export async function makeAnalyzer(client: Client, {plugin}: TestPlugin, more: object = {}): Promise<Json> {
	return data(
		await client.post('/v1/visit_analyzer_models', {
			name: 'an analyzer',
			organisation_id: plugin.organisation_id,
			group_id: plugin.group_id,
			artifact_id: plugin.artifact_id,
			error_recovery_strategy: 'STORE_WITH_ERROR_ID',
			...more,
		}),
	);
}

/** `data` of an answer that must be good. */
export function data({status, body}: Answer): Json {
	if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
	return body.data;
}
