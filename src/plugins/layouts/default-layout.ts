import type {PluginProperty} from '../properties/properties.ts';
import type {PluginVersion} from '../versions/versions.ts';
import type {FIELD_TYPES, Layout} from './layouts.schema.ts';

type FieldType = (typeof FIELD_TYPES)[number];

/** property_type -> the control that edits it; all others are texts. */
const CONTROLS: Readonly<Record<string, FieldType>> = {
	BOOLEAN: 'SWITCH',
	INT: 'INPUT_NUMBER',
	LONG: 'INPUT_NUMBER',
	DOUBLE: 'INPUT_NUMBER',
	URL: 'URL',
	PIXEL_TAG: 'TEXTAREA',
	ASSET: 'IMAGE',
	ASSET_FILE: 'IMAGE',
	DATA_FILE: 'DATA_FILE',
};

/** What stands in for a layout where there is none: every property, in the order of the version; no file backs it. */
export function defaultLayout(version: PluginVersion, properties: readonly PluginProperty[]): Layout {
	return {
		version: version.versionValue,
		sections: [
			{
				title: version.artifactId,
				sub_title: '',
				fields: properties.map(({technicalName, propertyType}) => ({
					property_technical_name: technicalName,
					field_type: CONTROLS[propertyType] ?? 'INPUT',
					label: technicalName,
					tooltip: null,
					enum: null,
					max_length: null,
					required: false,
				})),
				advanced_fields: [],
			},
		],
		metadata: {
			large_icon_asset_id: null,
			small_icon_asset_id: null,
			display_name: version.artifactId,
			description: `${version.groupId}/${version.artifactId} ${version.versionValue}`,
		},
	};
}
