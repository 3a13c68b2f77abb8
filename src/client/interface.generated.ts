// Made by `npm run client-types` of the document that the routes make; a test holds it to that.

export interface Api {
	/**
	 * Remove an activity analyzer
	 */
	'DELETE /v1/activity_analyzers/{analyzerId}': {
		path: {
			analyzerId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Give a property of an activity analyzer its version's value again
	 */
	'DELETE /v1/activity_analyzers/{analyzerId}/properties/technical_name={technicalName}': {
		path: {
			analyzerId: string | number;
			technicalName: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
				property_type: string;
				value: {
					[k: string]: unknown;
				};
				origin: 'PLUGIN_STATIC' | 'PLUGIN' | 'INSTANCE';
				writable: boolean;
				deletable: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Remove an asset
	 */
	'DELETE /v1/asset_files/{assetId}': {
		path: {
			assetId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Remove an asset
	 */
	'DELETE /v1/assets/{assetId}': {
		path: {
			assetId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Take an activity analyzer out of a channel; the others keep their order
	 */
	'DELETE /v1/channels/{channelId}/visit_analyzer_models/{channelLinkId}': {
		path: {
			channelId: string | number;
			channelLinkId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Remove a file
	 */
	'DELETE /v1/data_file/data': {
		query: {
			uri: string;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Remove a segment builder; the file of its dashboard stays
	 */
	'DELETE /v1/datamarts/{datamartId}/audience_builders/{builderId}': {
		path: {
			datamartId: string | number;
			builderId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Remove a folder; what it holds moves to the one above
	 */
	'DELETE /v1/datamarts/{datamartId}/audience_feature_folders/{audienceFeatureFolderId}': {
		path: {
			datamartId: string | number;
			audienceFeatureFolderId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Remove an audience feature
	 */
	'DELETE /v1/datamarts/{datamartId}/audience_features/{audienceFeatureId}': {
		path: {
			datamartId: string | number;
			audienceFeatureId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Remove a dead letter and its activity
	 */
	'DELETE /v1/datamarts/{datamartId}/dead_letters/{deadLetterId}': {
		path: {
			datamartId: string | number;
			deadLetterId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Remove a document import; what its executions did stays
	 */
	'DELETE /v1/datamarts/{datamartId}/document_imports/{documentImportId}': {
		path: {
			datamartId: string | number;
			documentImportId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Remove a document import; what its executions did stays
	 */
	'DELETE /v1/datamarts/{datamartId}/documents_imports/{documentImportId}': {
		path: {
			datamartId: string | number;
			documentImportId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Remove a channel of type MOBILE_APPLICATION; its activities stay
	 */
	'DELETE /v1/datamarts/{datamartId}/mobile_applications/{mobileApplicationId}': {
		path: {
			datamartId: string | number;
			mobileApplicationId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Remove a channel of type SITE; its activities stay
	 */
	'DELETE /v1/datamarts/{datamartId}/sites/{siteId}': {
		path: {
			datamartId: string | number;
			siteId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Remove a segment builder; the file of its dashboard stays
	 */
	'DELETE /v1/datamarts/{datamartId}/standard_segment_builders/{builderId}': {
		path: {
			datamartId: string | number;
			builderId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Take a person out of a segment
	 */
	'DELETE /v1/datamarts/{datamartId}/user_points/{selector}/user_segments/{segmentId}': {
		path: {
			datamartId: string | number;
			selector: string | number;
			segmentId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Remove an email router
	 */
	'DELETE /v1/email_routers/{emailRouterId}': {
		path: {
			emailRouterId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Give a property of an email router its version's value again
	 */
	'DELETE /v1/email_routers/{emailRouterId}/properties/technical_name={technicalName}': {
		path: {
			emailRouterId: string | number;
			technicalName: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
				property_type: string;
				value: {
					[k: string]: unknown;
				};
				origin: 'PLUGIN_STATIC' | 'PLUGIN' | 'INSTANCE';
				writable: boolean;
				deletable: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Give a property of an email template's renderer its version's value again
	 */
	'DELETE /v1/email_templates/{emailTemplateId}/renderer_properties/technical_name={technicalName}': {
		path: {
			emailTemplateId: string | number;
			technicalName: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
				property_type: string;
				value: {
					[k: string]: unknown;
				};
				origin: 'PLUGIN_STATIC' | 'PLUGIN' | 'INSTANCE';
				writable: boolean;
				deletable: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Take the plugin worker away; its credentials end at once
	 */
	'DELETE /v1/plugins/{pluginId}/versions/{versionId}/worker': {
		path: {
			pluginId: string | number;
			versionId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Cancel a query: whoever waits for it is answered query_cancelled at once
	 */
	'DELETE /v1/queries/{queryId}': {
		path: {
			queryId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Remove a user with their roles and credentials; what they made stays
	 */
	'DELETE /v1/users/{userId}': {
		path: {
			userId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Revoke an API token, at once
	 */
	'DELETE /v1/users/{userId}/api_tokens/{tokenId}': {
		path: {
			userId: string | number;
			tokenId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Revoke a message authentication key, at once
	 */
	'DELETE /v1/users/{userId}/message_authentication_keys/{signingKeyId}': {
		path: {
			userId: string | number;
			signingKeyId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Take the role in the organisation of the query
	 */
	'DELETE /v1/users/{userId}/user_roles': {
		path: {
			userId: string | number;
		};
		query?: {
			organisation_id?: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Take a role by its id
	 */
	'DELETE /v1/users/{userId}/user_roles/{userRoleId}': {
		path: {
			userId: string | number;
			userRoleId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Remove an activity analyzer
	 */
	'DELETE /v1/visit_analyzer_models/{analyzerId}': {
		path: {
			analyzerId: string | number;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Give a property of an activity analyzer its version's value again
	 */
	'DELETE /v1/visit_analyzer_models/{analyzerId}/properties/technical_name={technicalName}': {
		path: {
			analyzerId: string | number;
			technicalName: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
				property_type: string;
				value: {
					[k: string]: unknown;
				};
				origin: 'PLUGIN_STATIC' | 'PLUGIN' | 'INSTANCE';
				writable: boolean;
				deletable: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Instances: activity analyzers
	 */
	'GET /v1/activity_analyzers': {
		query?: {
			first_result?: number;
			max_results?: number;
			organisation_id?: string | number;
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				organisation_id: string;
				group_id: string;
				artifact_id: string;
				version_id: string;
				version_value: string;
				preset_id: string | null;
				creation_date: number;
				visit_analyzer_plugin_id: string;
				error_recovery_strategy:
					'STORE_WITH_ERROR_ID' | 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS' | 'DROP';
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Read an activity analyzer
	 */
	'GET /v1/activity_analyzers/{analyzerId}': {
		path: {
			analyzerId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				organisation_id: string;
				group_id: string;
				artifact_id: string;
				version_id: string;
				version_value: string;
				preset_id: string | null;
				creation_date: number;
				visit_analyzer_plugin_id: string;
				error_recovery_strategy:
					'STORE_WITH_ERROR_ID' | 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS' | 'DROP';
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Properties of an activity analyzer: the version's, with its own values in place
	 */
	'GET /v1/activity_analyzers/{analyzerId}/properties': {
		path: {
			analyzerId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
				property_type: string;
				value: {
					[k: string]: unknown;
				};
				origin: 'PLUGIN_STATIC' | 'PLUGIN' | 'INSTANCE';
				writable: boolean;
				deletable: boolean;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * The layout of its version: the file, or with a locale its texts put in
	 */
	'GET /v1/activity_analyzers/{analyzerId}/properties_layout': {
		path: {
			analyzerId: string | number;
		};
		query?: {
			locale?: string;
			default?: 'true' | 'false';
		};
		answer: {
			status: 'ok';
			data: {
				layout: {
					version: string;
					sections: {
						title: string;
						sub_title: string;
						fields: {
							property_technical_name: string;
							field_type:
								| 'TEXTAREA'
								| 'URL'
								| 'DATA_FILE'
								| 'HTML'
								| 'NUMBER'
								| 'SELECT'
								| 'MULTI_SELECT'
								| 'IMAGE'
								| 'INPUT'
								| 'INPUT_NUMBER'
								| 'SWITCH'
								| 'RADIO'
								| 'CHECKBOX'
								| 'DATE'
								| 'DATE_RANGE'
								| 'DYNAMIC_SELECT';
							label: string;
							tooltip?: string | null;
							enum?:
								| {
										value: string;
										label: string;
										[k: string]: unknown;
								  }[]
								| null;
							max_length?: number | null;
							required?: boolean | null;
							[k: string]: unknown;
						}[];
						advanced_fields: {
							property_technical_name: string;
							field_type:
								| 'TEXTAREA'
								| 'URL'
								| 'DATA_FILE'
								| 'HTML'
								| 'NUMBER'
								| 'SELECT'
								| 'MULTI_SELECT'
								| 'IMAGE'
								| 'INPUT'
								| 'INPUT_NUMBER'
								| 'SWITCH'
								| 'RADIO'
								| 'CHECKBOX'
								| 'DATE'
								| 'DATE_RANGE'
								| 'DYNAMIC_SELECT';
							label: string;
							tooltip?: string | null;
							enum?:
								| {
										value: string;
										label: string;
										[k: string]: unknown;
								  }[]
								| null;
							max_length?: number | null;
							required?: boolean | null;
							[k: string]: unknown;
						}[];
						[k: string]: unknown;
					}[];
					metadata: {
						large_icon_asset_id: (string | number) | null;
						small_icon_asset_id: (string | number) | null;
						display_name: string;
						description: string;
						large_icon_asset_url?: string | null;
						small_icon_asset_url?: string | null;
						tooltip?: string | null;
						[k: string]: unknown;
					};
					[k: string]: unknown;
				};
			};
		};
		bytes: true;
	};
	/**
	 * Assets of an organisation
	 */
	'GET /v1/asset_files': {
		query: {
			first_result?: number;
			max_results?: number;
			organisation_id: string | number;
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				original_name: string;
				mime_type: string;
				path: string;
				size: number;
				creation_ts: number;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One asset
	 */
	'GET /v1/asset_files/{assetId}': {
		path: {
			assetId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				original_name: string;
				mime_type: string;
				path: string;
				size: number;
				creation_ts: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * The bytes of an asset
	 */
	'GET /v1/asset_files/{assetId}/data': {
		path: {
			assetId: string | number;
		};
		bytes: true;
	};
	/**
	 * Assets of an organisation
	 */
	'GET /v1/assets': {
		query: {
			first_result?: number;
			max_results?: number;
			organisation_id: string | number;
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				original_name: string;
				mime_type: string;
				path: string;
				size: number;
				creation_ts: number;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One asset
	 */
	'GET /v1/assets/{assetId}': {
		path: {
			assetId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				original_name: string;
				mime_type: string;
				path: string;
				size: number;
				creation_ts: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * The bytes of an asset
	 */
	'GET /v1/assets/{assetId}/data': {
		path: {
			assetId: string | number;
		};
		bytes: true;
	};
	/**
	 * One channel
	 */
	'GET /v1/channels/{channelId}': {
		path: {
			channelId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				type: 'SITE' | 'MOBILE_APPLICATION';
				datamart_id: string;
				organisation_id: string;
				token: string;
				domain: string | null;
				creation_ts: number;
				enable_analytics: boolean;
				enable_installation_id_aggregation: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * A channel's activity analyzers in the order they run
	 */
	'GET /v1/channels/{channelId}/visit_analyzer_models': {
		path: {
			channelId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				channel_id: string;
				visit_analyzer_model_id: string;
				execution_order: number;
				creation_ts: number;
				created_by: string | null;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One activity analyzer of a channel
	 */
	'GET /v1/channels/{channelId}/visit_analyzer_models/{channelLinkId}': {
		path: {
			channelId: string | number;
			channelLinkId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				channel_id: string;
				visit_analyzer_model_id: string;
				execution_order: number;
				creation_ts: number;
				created_by: string | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Users of a community, each with their roles
	 */
	'GET /v1/communities/{communityId}/users.user_roles': {
		path: {
			communityId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				first_name: string;
				last_name: string;
				email: string;
				locale: string | null;
				organisation_id: string;
				community_id: string;
				last_password_update: number | null;
				creation_date: number;
				user_roles: {
					id: string;
					role: 'READER' | 'EDITOR' | 'ORGANISATION_ADMIN' | 'COMMUNITY_ADMIN' | 'CUSTOMER_ADMIN';
					creation_date: number;
					organisation_id: string;
				}[];
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Users of a community, each with their roles
	 */
	'GET /v1/community/{communityId}/users.user_roles': {
		path: {
			communityId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				first_name: string;
				last_name: string;
				email: string;
				locale: string | null;
				organisation_id: string;
				community_id: string;
				last_password_update: number | null;
				creation_date: number;
				user_roles: {
					id: string;
					role: 'READER' | 'EDITOR' | 'ORGANISATION_ADMIN' | 'COMMUNITY_ADMIN' | 'CUSTOMER_ADMIN';
					creation_date: number;
					organisation_id: string;
				}[];
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * The bytes of a configuration file of the plugin worker's own version
	 */
	'GET /v1/configuration/technical_name={technicalName}': {
		path: {
			technicalName: string | number;
		};
		bytes: true;
	};
	/**
	 * Who asks, with their organisations and datamarts
	 */
	'GET /v1/connected_user': {
		answer: {
			status: 'ok';
			data: {
				id: string;
				first_name: string;
				last_name: string;
				email: string;
				locale: string | null;
				default_workspace: number;
				workspaces: {
					organisation_id: string;
					customer_type: string;
					organisation_name: string;
					administrator: boolean;
					role: 'READER' | 'EDITOR' | 'ORGANISATION_ADMIN' | 'COMMUNITY_ADMIN' | 'CUSTOMER_ADMIN';
					community_id: string;
					administrator_id: string | null;
					datamarts: {
						id: string;
						name: string;
						organisation_id: string;
						token: string;
						creation_date: number;
						time_zone: string;
						type: string;
						datafarm: string;
						storage_model_version: string;
						user_point_system_version: string;
						region: string;
						archived: boolean;
						audience_segment_metrics: {
							[k: string]: unknown;
						}[];
					}[];
				}[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Email templates
	 */
	'GET /v1/creatives': {
		query?: {
			first_result?: number;
			max_results?: number;
			organisation_id?: string | number;
			type?: 'EMAIL_TEMPLATE';
			archived?: 'true' | 'false';
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				type: 'EMAIL_TEMPLATE';
				id: string;
				organisation_id: string;
				name: string;
				technical_name: string | null;
				archived: boolean;
				editor_version_id: string | null;
				editor_version_value: string | null;
				editor_group_id: string | null;
				editor_artifact_id: string | null;
				editor_plugin_id: string | null;
				renderer_version_id: string;
				renderer_version_value: string;
				renderer_group_id: string;
				renderer_artifact_id: string;
				renderer_plugin_id: string;
				creation_date: number;
				subtype: string | null;
				email_renderer_id: string;
				preset_id: string | null;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One email template, by its id or its renderer instance's
	 */
	'GET /v1/creatives/{emailTemplateId}': {
		path: {
			emailTemplateId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				type: 'EMAIL_TEMPLATE';
				id: string;
				organisation_id: string;
				name: string;
				technical_name: string | null;
				archived: boolean;
				editor_version_id: string | null;
				editor_version_value: string | null;
				editor_group_id: string | null;
				editor_artifact_id: string | null;
				editor_plugin_id: string | null;
				renderer_version_id: string;
				renderer_version_value: string;
				renderer_group_id: string;
				renderer_artifact_id: string;
				renderer_plugin_id: string;
				creation_date: number;
				subtype: string | null;
				email_renderer_id: string;
				preset_id: string | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * The layout of its version: the file, or with a locale its texts put in
	 */
	'GET /v1/creatives/{emailTemplateId}/properties_layout': {
		path: {
			emailTemplateId: string | number;
		};
		query?: {
			locale?: string;
			default?: 'true' | 'false';
		};
		answer: {
			status: 'ok';
			data: {
				layout: {
					version: string;
					sections: {
						title: string;
						sub_title: string;
						fields: {
							property_technical_name: string;
							field_type:
								| 'TEXTAREA'
								| 'URL'
								| 'DATA_FILE'
								| 'HTML'
								| 'NUMBER'
								| 'SELECT'
								| 'MULTI_SELECT'
								| 'IMAGE'
								| 'INPUT'
								| 'INPUT_NUMBER'
								| 'SWITCH'
								| 'RADIO'
								| 'CHECKBOX'
								| 'DATE'
								| 'DATE_RANGE'
								| 'DYNAMIC_SELECT';
							label: string;
							tooltip?: string | null;
							enum?:
								| {
										value: string;
										label: string;
										[k: string]: unknown;
								  }[]
								| null;
							max_length?: number | null;
							required?: boolean | null;
							[k: string]: unknown;
						}[];
						advanced_fields: {
							property_technical_name: string;
							field_type:
								| 'TEXTAREA'
								| 'URL'
								| 'DATA_FILE'
								| 'HTML'
								| 'NUMBER'
								| 'SELECT'
								| 'MULTI_SELECT'
								| 'IMAGE'
								| 'INPUT'
								| 'INPUT_NUMBER'
								| 'SWITCH'
								| 'RADIO'
								| 'CHECKBOX'
								| 'DATE'
								| 'DATE_RANGE'
								| 'DYNAMIC_SELECT';
							label: string;
							tooltip?: string | null;
							enum?:
								| {
										value: string;
										label: string;
										[k: string]: unknown;
								  }[]
								| null;
							max_length?: number | null;
							required?: boolean | null;
							[k: string]: unknown;
						}[];
						[k: string]: unknown;
					}[];
					metadata: {
						large_icon_asset_id: (string | number) | null;
						small_icon_asset_id: (string | number) | null;
						display_name: string;
						description: string;
						large_icon_asset_url?: string | null;
						small_icon_asset_url?: string | null;
						tooltip?: string | null;
						[k: string]: unknown;
					};
					[k: string]: unknown;
				};
			};
		};
		bytes: true;
	};
	/**
	 * Properties of an email template's renderer
	 */
	'GET /v1/creatives/{emailTemplateId}/renderer_properties': {
		path: {
			emailTemplateId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
				property_type: string;
				value: {
					[k: string]: unknown;
				};
				origin: 'PLUGIN_STATIC' | 'PLUGIN' | 'INSTANCE';
				writable: boolean;
				deletable: boolean;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * The bytes of a file, as they are
	 */
	'GET /v1/data_file/data': {
		query: {
			uri: string;
		};
		bytes: true;
	};
	/**
	 * Files of an organisation, by path
	 */
	'GET /v1/data_files': {
		query: {
			first_result?: number;
			max_results?: number;
			organisation_id: string | number;
			path?: string;
		};
		answer: {
			status: 'ok';
			data: {
				uri: string;
				organisation_id: string;
				name: string | null;
				content_type: string | null;
				size: number;
				sha256: string;
				creation_ts: number;
				last_modified: number;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Datamarts of an organisation, or all the caller may see
	 */
	'GET /v1/datamarts': {
		query?: {
			first_result?: number;
			max_results?: number;
			organisation_id?: string | number;
			keywords?: string;
			archived?: 'true' | 'false';
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				organisation_id: string;
				token: string;
				creation_date: number;
				time_zone: string;
				type: string;
				datafarm: string;
				storage_model_version: string;
				user_point_system_version: string;
				region: string;
				archived: boolean;
				audience_segment_metrics: {
					[k: string]: unknown;
				}[];
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One datamart
	 */
	'GET /v1/datamarts/{datamartId}': {
		path: {
			datamartId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				organisation_id: string;
				token: string;
				creation_date: number;
				time_zone: string;
				type: string;
				datafarm: string;
				storage_model_version: string;
				user_point_system_version: string;
				region: string;
				archived: boolean;
				audience_segment_metrics: {
					[k: string]: unknown;
				}[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Ways of the last days’ activities through their analyzers, newest first
	 */
	'GET /v1/datamarts/{datamartId}/activity_traces': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			channel_id?: string | number;
			activity_analyzer_id?: string | number;
			outcome?: 'STORED' | 'STORED_WITH_ERROR' | 'DROPPED' | 'UNANALYSED';
			error_id?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				channel_id: string;
				received_ts: number;
				start_ts: number;
				duration: number;
				outcome: 'STORED' | 'STORED_WITH_ERROR' | 'DROPPED' | 'UNANALYSED';
				steps: {
					activity_analyzer_id: string;
					status: 'ok' | 'error';
					start_ts: number;
					duration: number;
					tries: number;
					changes: {
						path: string;
						change: 'added' | 'removed' | 'changed';
					}[];
					error_id?: string;
					error_code?: string;
					error?: string;
				}[];
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One activity’s way through its analyzers, by the id of its trace, its $unique_key or an error id it carries
	 */
	'GET /v1/datamarts/{datamartId}/activity_traces/{activityId}': {
		path: {
			datamartId: string | number;
			activityId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				channel_id: string;
				received_ts: number;
				start_ts: number;
				duration: number;
				outcome: 'STORED' | 'STORED_WITH_ERROR' | 'DROPPED' | 'UNANALYSED';
				steps: {
					activity_analyzer_id: string;
					status: 'ok' | 'error';
					start_ts: number;
					duration: number;
					tries: number;
					changes: {
						path: string;
						change: 'added' | 'removed' | 'changed';
					}[];
					error_id?: string;
					error_code?: string;
					error?: string;
				}[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Segment builders of a datamart
	 */
	'GET /v1/datamarts/{datamartId}/audience_builders': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				name: string;
				parent_id: string | null;
				children_ids: string[];
				audience_features_ids: string[];
				demographics_features_ids: string[];
				initial_audience_feature_ids: string[];
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One segment builder
	 */
	'GET /v1/datamarts/{datamartId}/audience_builders/{builderId}': {
		path: {
			datamartId: string | number;
			builderId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				name: string;
				parent_id: string | null;
				children_ids: string[];
				audience_features_ids: string[];
				demographics_features_ids: string[];
				initial_audience_feature_ids: string[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Folders of a datamart’s audience features, with what is right in them
	 */
	'GET /v1/datamarts/{datamartId}/audience_feature_folders': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				datamart_id: string;
				parent_id: string | null;
				children_ids: string[];
				audience_features_ids: string[];
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One folder of audience features
	 */
	'GET /v1/datamarts/{datamartId}/audience_feature_folders/{audienceFeatureFolderId}': {
		path: {
			datamartId: string | number;
			audienceFeatureFolderId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				datamart_id: string;
				parent_id: string | null;
				children_ids: string[];
				audience_features_ids: string[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Audience features of a datamart
	 */
	'GET /v1/datamarts/{datamartId}/audience_features': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			keywords?: string;
			folder_id?: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				datamart_id: string;
				description: string | null;
				token: string;
				addressable_object: string;
				object_tree_expression: string;
				folder_id: string | null;
				creation_date: number;
				variables: {
					field_name: string;
					parameter_name: string;
					path: string[];
					type: string;
					values?: string[];
				}[];
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Audience features by name and folder, and by final values that their fields have
	 */
	'GET /v1/datamarts/{datamartId}/audience_features/search': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			keywords?: string;
			folder_id?: string | number;
			values?: string | string[];
		};
		answer: {
			status: 'ok';
			data: {
				data: {
					elements: {
						id: string;
						name: string;
						datamart_id: string;
						description: string | null;
						token: string;
						addressable_object: string;
						object_tree_expression: string;
						folder_id: string | null;
						creation_date: number;
						variables: {
							field_name: string;
							parameter_name: string;
							path: string[];
							type: string;
							values?: string[];
						}[];
					}[];
					limit: number;
					offset: number;
					total_results: number;
				};
				infos: {
					info_name: string;
					info_value: string;
				}[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * One audience feature
	 */
	'GET /v1/datamarts/{datamartId}/audience_features/{audienceFeatureId}': {
		path: {
			datamartId: string | number;
			audienceFeatureId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				datamart_id: string;
				description: string | null;
				token: string;
				addressable_object: string;
				object_tree_expression: string;
				folder_id: string | null;
				creation_date: number;
				variables: {
					field_name: string;
					parameter_name: string;
					path: string[];
					type: string;
					values?: string[];
				}[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Channels of a datamart
	 */
	'GET /v1/datamarts/{datamartId}/channels': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			organisation_id?: string | number;
			type?: 'SITE' | 'MOBILE_APPLICATION';
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				type: 'SITE' | 'MOBILE_APPLICATION';
				datamart_id: string;
				organisation_id: string;
				token: string;
				domain: string | null;
				creation_ts: number;
				enable_analytics: boolean;
				enable_installation_id_aggregation: boolean;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Compartments of a datamart
	 */
	'GET /v1/datamarts/{datamartId}/compartments': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				compartment_id: string;
				token: string;
				name: string;
				default: boolean;
				datamart_id: string;
				organisation_id: string;
				archived: boolean;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Dead letters of a datamart, oldest first
	 */
	'GET /v1/datamarts/{datamartId}/dead_letters': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			reason?: 'unreadable' | 'facts_failed' | 'rows_refused' | 'not_analysed' | 'identifier_cap';
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				reason: 'unreadable' | 'facts_failed' | 'rows_refused' | 'not_analysed' | 'identifier_cap';
				message: string;
				replayable: boolean;
				received_ts: number;
				creation_ts: number;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One dead letter, with its activity as it was accepted and what is wrong with it
	 */
	'GET /v1/datamarts/{datamartId}/dead_letters/{deadLetterId}': {
		path: {
			datamartId: string | number;
			deadLetterId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				reason: 'unreadable' | 'facts_failed' | 'rows_refused' | 'not_analysed' | 'identifier_cap';
				message: string;
				replayable: boolean;
				received_ts: number;
				creation_ts: number;
				activity: unknown;
				activity_text?: string;
				errors: {
					pointer: string;
					message: string;
				}[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Document imports of a datamart
	 */
	'GET /v1/datamarts/{datamartId}/document_imports': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				datafarm_key: string;
				name: string;
				encoding: string;
				mime_type: 'APPLICATION_X_NDJSON';
				document_type:
					| 'USER_ACTIVITY'
					| 'USER_SEGMENT'
					| 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS'
					| 'USER_IDENTIFIERS_DELETION';
				priority: 'HIGH' | 'MEDIUM' | 'LOW';
				creation_date: number;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One document import
	 */
	'GET /v1/datamarts/{datamartId}/document_imports/{documentImportId}': {
		path: {
			datamartId: string | number;
			documentImportId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				datafarm_key: string;
				name: string;
				encoding: string;
				mime_type: 'APPLICATION_X_NDJSON';
				document_type:
					| 'USER_ACTIVITY'
					| 'USER_SEGMENT'
					| 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS'
					| 'USER_IDENTIFIERS_DELETION';
				priority: 'HIGH' | 'MEDIUM' | 'LOW';
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Executions of a document import, newest first
	 */
	'GET /v1/datamarts/{datamartId}/document_imports/{documentImportId}/executions': {
		path: {
			datamartId: string | number;
			documentImportId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';
				creation_date: number;
				start_date: number | null;
				duration: number | null;
				organisation_id: string;
				user_id: string | null;
				cancel_status: ('REQUESTED' | 'DONE') | null;
				debug: null;
				is_retryable: boolean;
				permalink_uri: string;
				num_tasks: number;
				completed_tasks: number;
				erroneous_tasks: number;
				retry_count: number;
				job_type: 'DOCUMENT_IMPORT' | 'REFERENCE_TABLE';
				import_mode: 'MANUAL_FILE';
				import_type: string | null;
				external_model_name: string;
				external_model_id: string | null;
				parameters: {
					datamart_id: number;
					document_import_id?: number;
					document_type?: string;
					mime_type: string;
					file_uri: string;
				};
				result: {
					total_success: number;
					total_failure: number;
					input_file_name: string | null;
					input_file_uri: string | null;
					error_file_uri: string | null;
					receipt?: {
						found: number;
						removed: number;
						unknown: number;
						finished_ts: number;
						receipt_file_uri: string | null;
						receipt_file_sha256?: string;
						signature: string;
					};
				} | null;
				error: {
					message: string;
				} | null;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One execution of a document import, with its progress and in the end its result
	 */
	'GET /v1/datamarts/{datamartId}/document_imports/{documentImportId}/executions/{executionId}': {
		path: {
			datamartId: string | number;
			documentImportId: string | number;
			executionId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';
				creation_date: number;
				start_date: number | null;
				duration: number | null;
				organisation_id: string;
				user_id: string | null;
				cancel_status: ('REQUESTED' | 'DONE') | null;
				debug: null;
				is_retryable: boolean;
				permalink_uri: string;
				num_tasks: number;
				completed_tasks: number;
				erroneous_tasks: number;
				retry_count: number;
				job_type: 'DOCUMENT_IMPORT' | 'REFERENCE_TABLE';
				import_mode: 'MANUAL_FILE';
				import_type: string | null;
				external_model_name: string;
				external_model_id: string | null;
				parameters: {
					datamart_id: number;
					document_import_id?: number;
					document_type?: string;
					mime_type: string;
					file_uri: string;
				};
				result: {
					total_success: number;
					total_failure: number;
					input_file_name: string | null;
					input_file_uri: string | null;
					error_file_uri: string | null;
					receipt?: {
						found: number;
						removed: number;
						unknown: number;
						finished_ts: number;
						receipt_file_uri: string | null;
						receipt_file_sha256?: string;
						signature: string;
					};
				} | null;
				error: {
					message: string;
				} | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Document imports of a datamart
	 */
	'GET /v1/datamarts/{datamartId}/documents_imports': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				datafarm_key: string;
				name: string;
				encoding: string;
				mime_type: 'APPLICATION_X_NDJSON';
				document_type:
					| 'USER_ACTIVITY'
					| 'USER_SEGMENT'
					| 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS'
					| 'USER_IDENTIFIERS_DELETION';
				priority: 'HIGH' | 'MEDIUM' | 'LOW';
				creation_date: number;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One document import
	 */
	'GET /v1/datamarts/{datamartId}/documents_imports/{documentImportId}': {
		path: {
			datamartId: string | number;
			documentImportId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				datafarm_key: string;
				name: string;
				encoding: string;
				mime_type: 'APPLICATION_X_NDJSON';
				document_type:
					| 'USER_ACTIVITY'
					| 'USER_SEGMENT'
					| 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS'
					| 'USER_IDENTIFIERS_DELETION';
				priority: 'HIGH' | 'MEDIUM' | 'LOW';
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Executions of a document import, newest first
	 */
	'GET /v1/datamarts/{datamartId}/documents_imports/{documentImportId}/executions': {
		path: {
			datamartId: string | number;
			documentImportId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';
				creation_date: number;
				start_date: number | null;
				duration: number | null;
				organisation_id: string;
				user_id: string | null;
				cancel_status: ('REQUESTED' | 'DONE') | null;
				debug: null;
				is_retryable: boolean;
				permalink_uri: string;
				num_tasks: number;
				completed_tasks: number;
				erroneous_tasks: number;
				retry_count: number;
				job_type: 'DOCUMENT_IMPORT' | 'REFERENCE_TABLE';
				import_mode: 'MANUAL_FILE';
				import_type: string | null;
				external_model_name: string;
				external_model_id: string | null;
				parameters: {
					datamart_id: number;
					document_import_id?: number;
					document_type?: string;
					mime_type: string;
					file_uri: string;
				};
				result: {
					total_success: number;
					total_failure: number;
					input_file_name: string | null;
					input_file_uri: string | null;
					error_file_uri: string | null;
					receipt?: {
						found: number;
						removed: number;
						unknown: number;
						finished_ts: number;
						receipt_file_uri: string | null;
						receipt_file_sha256?: string;
						signature: string;
					};
				} | null;
				error: {
					message: string;
				} | null;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One execution of a document import, with its progress and in the end its result
	 */
	'GET /v1/datamarts/{datamartId}/documents_imports/{documentImportId}/executions/{executionId}': {
		path: {
			datamartId: string | number;
			documentImportId: string | number;
			executionId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';
				creation_date: number;
				start_date: number | null;
				duration: number | null;
				organisation_id: string;
				user_id: string | null;
				cancel_status: ('REQUESTED' | 'DONE') | null;
				debug: null;
				is_retryable: boolean;
				permalink_uri: string;
				num_tasks: number;
				completed_tasks: number;
				erroneous_tasks: number;
				retry_count: number;
				job_type: 'DOCUMENT_IMPORT' | 'REFERENCE_TABLE';
				import_mode: 'MANUAL_FILE';
				import_type: string | null;
				external_model_name: string;
				external_model_id: string | null;
				parameters: {
					datamart_id: number;
					document_import_id?: number;
					document_type?: string;
					mime_type: string;
					file_uri: string;
				};
				result: {
					total_success: number;
					total_failure: number;
					input_file_name: string | null;
					input_file_uri: string | null;
					error_file_uri: string | null;
					receipt?: {
						found: number;
						removed: number;
						unknown: number;
						finished_ts: number;
						receipt_file_uri: string | null;
						receipt_file_sha256?: string;
						signature: string;
					};
				} | null;
				error: {
					message: string;
				} | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Schemas of a datamart: the one that holds
	 */
	'GET /v1/datamarts/{datamartId}/graphdb_runtime_schemas': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				status: 'LIVE';
				creation_date: number;
				last_modified_date: number;
				publication_date: number;
				suspension_date: null;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One schema of a datamart
	 */
	'GET /v1/datamarts/{datamartId}/graphdb_runtime_schemas/{schemaId}': {
		path: {
			datamartId: string | number;
			schemaId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				status: 'LIVE';
				creation_date: number;
				last_modified_date: number;
				publication_date: number;
				suspension_date: null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Final values of one field: field/index=USER_INDEX/object_tree_field_path=profiles.country
	 */
	'GET /v1/datamarts/{datamartId}/graphdb_runtime_schemas/{schemaId}/field/{index}/{fieldPath}/reference_tables/records': {
		path: {
			datamartId: string | number;
			schemaId: string | number;
			index: string | number;
			fieldPath: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				value: string;
				display_value: string;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * The text of a schema, in GraphQL’s schema language
	 */
	'GET /v1/datamarts/{datamartId}/graphdb_runtime_schemas/{schemaId}/text': {
		path: {
			datamartId: string | number;
			schemaId: string | number;
		};
		bytes: true;
	};
	/**
	 * Imports of final values, newest first
	 */
	'GET /v1/datamarts/{datamartId}/reference_table_job_executions': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';
				creation_date: number;
				start_date: number | null;
				duration: number | null;
				organisation_id: string;
				user_id: string | null;
				cancel_status: ('REQUESTED' | 'DONE') | null;
				debug: null;
				is_retryable: boolean;
				permalink_uri: string;
				num_tasks: number;
				completed_tasks: number;
				erroneous_tasks: number;
				retry_count: number;
				job_type: 'DOCUMENT_IMPORT' | 'REFERENCE_TABLE';
				import_mode: 'MANUAL_FILE';
				import_type: string | null;
				external_model_name: string;
				external_model_id: string | null;
				parameters: {
					datamart_id: number;
					document_import_id?: number;
					document_type?: string;
					mime_type: string;
					file_uri: string;
				};
				result: {
					total_success: number;
					total_failure: number;
					input_file_name: string | null;
					input_file_uri: string | null;
					error_file_uri: string | null;
					receipt?: {
						found: number;
						removed: number;
						unknown: number;
						finished_ts: number;
						receipt_file_uri: string | null;
						receipt_file_sha256?: string;
						signature: string;
					};
				} | null;
				error: {
					message: string;
				} | null;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One import of final values
	 */
	'GET /v1/datamarts/{datamartId}/reference_table_job_executions/{executionId}': {
		path: {
			datamartId: string | number;
			executionId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';
				creation_date: number;
				start_date: number | null;
				duration: number | null;
				organisation_id: string;
				user_id: string | null;
				cancel_status: ('REQUESTED' | 'DONE') | null;
				debug: null;
				is_retryable: boolean;
				permalink_uri: string;
				num_tasks: number;
				completed_tasks: number;
				erroneous_tasks: number;
				retry_count: number;
				job_type: 'DOCUMENT_IMPORT' | 'REFERENCE_TABLE';
				import_mode: 'MANUAL_FILE';
				import_type: string | null;
				external_model_name: string;
				external_model_id: string | null;
				parameters: {
					datamart_id: number;
					document_import_id?: number;
					document_type?: string;
					mime_type: string;
					file_uri: string;
				};
				result: {
					total_success: number;
					total_failure: number;
					input_file_name: string | null;
					input_file_uri: string | null;
					error_file_uri: string | null;
					receipt?: {
						found: number;
						removed: number;
						unknown: number;
						finished_ts: number;
						receipt_file_uri: string | null;
						receipt_file_sha256?: string;
						signature: string;
					};
				} | null;
				error: {
					message: string;
				} | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Final values that contain `keywords`, ignoring case, each once
	 */
	'GET /v1/datamarts/{datamartId}/reference_table_values': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				values: string[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Segment builders of a datamart
	 */
	'GET /v1/datamarts/{datamartId}/standard_segment_builders': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				name: string;
				parent_id: string | null;
				children_ids: string[];
				audience_features_ids: string[];
				demographics_features_ids: string[];
				initial_audience_feature_ids: string[];
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One segment builder
	 */
	'GET /v1/datamarts/{datamartId}/standard_segment_builders/{builderId}': {
		path: {
			datamartId: string | number;
			builderId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				name: string;
				parent_id: string | null;
				children_ids: string[];
				audience_features_ids: string[];
				demographics_features_ids: string[];
				initial_audience_feature_ids: string[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Compartments of a datamart
	 */
	'GET /v1/datamarts/{datamartId}/user_account_compartments': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				compartment_id: string;
				token: string;
				name: string;
				default: boolean;
				datamart_id: string;
				organisation_id: string;
				archived: boolean;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Accept one small activity from the query, with the channel’s token; answers a transparent GIF
	 */
	'GET /v1/datamarts/{datamartId}/user_activities/pixel': {
		path: {
			datamartId: string | number;
		};
		query: {
			activity: string;
		};
		bytes: true;
	};
	/**
	 * Accept one small activity from the query, with the channel’s token; answers a transparent GIF
	 */
	'GET /v1/datamarts/{datamartId}/user_activities/pixel.gif': {
		path: {
			datamartId: string | number;
		};
		query: {
			activity: string;
		};
		bytes: true;
	};
	/**
	 * Dimensions that a report, or a funnel, may be asked for
	 */
	'GET /v1/datamarts/{datamartId}/user_activities_analytics/dimensions': {
		path: {
			datamartId: string | number;
		};
		query?: {
			is_available_for_funnel?: 'true' | 'false';
		};
		answer: {
			status: 'ok';
			data: {
				dimensions: {
					value: string;
					label: string;
				}[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Identifiers of a user point
	 */
	'GET /v1/datamarts/{datamartId}/user_identifiers/{compartment}/{account}': {
		path: {
			datamartId: string | number;
			compartment: string | number;
			account: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: (
				| {
						type: 'USER_POINT';
						user_point_id: string;
				  }
				| {
						type: 'USER_ACCOUNT';
						user_account_id: string;
						compartment_id: number;
						creation_ts: number;
				  }
				| {
						type: 'USER_AGENT';
						vector_id: string;
						user_agent_id: string;
						creation_ts: number;
						last_activity_ts: number;
						providers: unknown[];
						mappings: unknown[];
				  }
				| {
						type: 'USER_EMAIL';
						hash: string;
						email?: string;
						creation_ts: number;
						last_activity_ts: number;
						providers: unknown[];
				  }
			)[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Identifiers of a user point
	 */
	'GET /v1/datamarts/{datamartId}/user_identifiers/{selector}': {
		path: {
			datamartId: string | number;
			selector: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: (
				| {
						type: 'USER_POINT';
						user_point_id: string;
				  }
				| {
						type: 'USER_ACCOUNT';
						user_account_id: string;
						compartment_id: number;
						creation_ts: number;
				  }
				| {
						type: 'USER_AGENT';
						vector_id: string;
						user_agent_id: string;
						creation_ts: number;
						last_activity_ts: number;
						providers: unknown[];
						mappings: unknown[];
				  }
				| {
						type: 'USER_EMAIL';
						hash: string;
						email?: string;
						creation_ts: number;
						last_activity_ts: number;
						providers: unknown[];
				  }
			)[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Segments a person is in now
	 */
	'GET /v1/datamarts/{datamartId}/user_points/{selector}/user_segments': {
		path: {
			datamartId: string | number;
			selector: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				segment_id: string;
				data_bag: unknown;
				creation_ts: number;
				last_modified_ts: number;
				expiration_ts?: number;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Segments a person is in now, as clients in the field ask for them; cannot be signed
	 */
	'GET /v1/datamarts/{datamartId}/user_segments/{compartment}/{account}': {
		path: {
			datamartId: string | number;
			compartment: string | number;
			account: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				segment_id: string;
				data_bag: unknown;
				creation_ts: number;
				last_modified_ts: number;
				expiration_ts?: number;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Segments a person is in now, as clients in the field ask for them; cannot be signed
	 */
	'GET /v1/datamarts/{datamartId}/user_segments/{selector}': {
		path: {
			datamartId: string | number;
			selector: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				segment_id: string;
				data_bag: unknown;
				creation_ts: number;
				last_modified_ts: number;
				expiration_ts?: number;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Activities of a user point, newest first, as they were sent
	 */
	'GET /v1/datamarts/{datamartId}/user_timelines/{compartment}/{account}/user_activities': {
		path: {
			datamartId: string | number;
			compartment: string | number;
			account: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				[k: string]: unknown;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Activities of a user point, newest first, as they were sent
	 */
	'GET /v1/datamarts/{datamartId}/user_timelines/{selector}/user_activities': {
		path: {
			datamartId: string | number;
			selector: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				[k: string]: unknown;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Instances: email routers
	 */
	'GET /v1/email_routers': {
		query?: {
			first_result?: number;
			max_results?: number;
			organisation_id?: string | number;
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				organisation_id: string;
				group_id: string;
				artifact_id: string;
				version_id: string;
				version_value: string;
				preset_id: string | null;
				creation_date: number;
				email_router_plugin_id: string;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Read an email router
	 */
	'GET /v1/email_routers/{emailRouterId}': {
		path: {
			emailRouterId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				organisation_id: string;
				group_id: string;
				artifact_id: string;
				version_id: string;
				version_value: string;
				preset_id: string | null;
				creation_date: number;
				email_router_plugin_id: string;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Properties of an email router: the version's, with its own values in place
	 */
	'GET /v1/email_routers/{emailRouterId}/properties': {
		path: {
			emailRouterId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
				property_type: string;
				value: {
					[k: string]: unknown;
				};
				origin: 'PLUGIN_STATIC' | 'PLUGIN' | 'INSTANCE';
				writable: boolean;
				deletable: boolean;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * The layout of its version: the file, or with a locale its texts put in
	 */
	'GET /v1/email_routers/{emailRouterId}/properties_layout': {
		path: {
			emailRouterId: string | number;
		};
		query?: {
			locale?: string;
			default?: 'true' | 'false';
		};
		answer: {
			status: 'ok';
			data: {
				layout: {
					version: string;
					sections: {
						title: string;
						sub_title: string;
						fields: {
							property_technical_name: string;
							field_type:
								| 'TEXTAREA'
								| 'URL'
								| 'DATA_FILE'
								| 'HTML'
								| 'NUMBER'
								| 'SELECT'
								| 'MULTI_SELECT'
								| 'IMAGE'
								| 'INPUT'
								| 'INPUT_NUMBER'
								| 'SWITCH'
								| 'RADIO'
								| 'CHECKBOX'
								| 'DATE'
								| 'DATE_RANGE'
								| 'DYNAMIC_SELECT';
							label: string;
							tooltip?: string | null;
							enum?:
								| {
										value: string;
										label: string;
										[k: string]: unknown;
								  }[]
								| null;
							max_length?: number | null;
							required?: boolean | null;
							[k: string]: unknown;
						}[];
						advanced_fields: {
							property_technical_name: string;
							field_type:
								| 'TEXTAREA'
								| 'URL'
								| 'DATA_FILE'
								| 'HTML'
								| 'NUMBER'
								| 'SELECT'
								| 'MULTI_SELECT'
								| 'IMAGE'
								| 'INPUT'
								| 'INPUT_NUMBER'
								| 'SWITCH'
								| 'RADIO'
								| 'CHECKBOX'
								| 'DATE'
								| 'DATE_RANGE'
								| 'DYNAMIC_SELECT';
							label: string;
							tooltip?: string | null;
							enum?:
								| {
										value: string;
										label: string;
										[k: string]: unknown;
								  }[]
								| null;
							max_length?: number | null;
							required?: boolean | null;
							[k: string]: unknown;
						}[];
						[k: string]: unknown;
					}[];
					metadata: {
						large_icon_asset_id: (string | number) | null;
						small_icon_asset_id: (string | number) | null;
						display_name: string;
						description: string;
						large_icon_asset_url?: string | null;
						small_icon_asset_url?: string | null;
						tooltip?: string | null;
						[k: string]: unknown;
					};
					[k: string]: unknown;
				};
			};
		};
		bytes: true;
	};
	/**
	 * Email templates
	 */
	'GET /v1/email_templates': {
		query?: {
			first_result?: number;
			max_results?: number;
			organisation_id?: string | number;
			type?: 'EMAIL_TEMPLATE';
			archived?: 'true' | 'false';
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				type: 'EMAIL_TEMPLATE';
				id: string;
				organisation_id: string;
				name: string;
				technical_name: string | null;
				archived: boolean;
				editor_version_id: string | null;
				editor_version_value: string | null;
				editor_group_id: string | null;
				editor_artifact_id: string | null;
				editor_plugin_id: string | null;
				renderer_version_id: string;
				renderer_version_value: string;
				renderer_group_id: string;
				renderer_artifact_id: string;
				renderer_plugin_id: string;
				creation_date: number;
				subtype: string | null;
				email_renderer_id: string;
				preset_id: string | null;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One email template, by its id or its renderer instance's
	 */
	'GET /v1/email_templates/{emailTemplateId}': {
		path: {
			emailTemplateId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				type: 'EMAIL_TEMPLATE';
				id: string;
				organisation_id: string;
				name: string;
				technical_name: string | null;
				archived: boolean;
				editor_version_id: string | null;
				editor_version_value: string | null;
				editor_group_id: string | null;
				editor_artifact_id: string | null;
				editor_plugin_id: string | null;
				renderer_version_id: string;
				renderer_version_value: string;
				renderer_group_id: string;
				renderer_artifact_id: string;
				renderer_plugin_id: string;
				creation_date: number;
				subtype: string | null;
				email_renderer_id: string;
				preset_id: string | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * The layout of its version: the file, or with a locale its texts put in
	 */
	'GET /v1/email_templates/{emailTemplateId}/properties_layout': {
		path: {
			emailTemplateId: string | number;
		};
		query?: {
			locale?: string;
			default?: 'true' | 'false';
		};
		answer: {
			status: 'ok';
			data: {
				layout: {
					version: string;
					sections: {
						title: string;
						sub_title: string;
						fields: {
							property_technical_name: string;
							field_type:
								| 'TEXTAREA'
								| 'URL'
								| 'DATA_FILE'
								| 'HTML'
								| 'NUMBER'
								| 'SELECT'
								| 'MULTI_SELECT'
								| 'IMAGE'
								| 'INPUT'
								| 'INPUT_NUMBER'
								| 'SWITCH'
								| 'RADIO'
								| 'CHECKBOX'
								| 'DATE'
								| 'DATE_RANGE'
								| 'DYNAMIC_SELECT';
							label: string;
							tooltip?: string | null;
							enum?:
								| {
										value: string;
										label: string;
										[k: string]: unknown;
								  }[]
								| null;
							max_length?: number | null;
							required?: boolean | null;
							[k: string]: unknown;
						}[];
						advanced_fields: {
							property_technical_name: string;
							field_type:
								| 'TEXTAREA'
								| 'URL'
								| 'DATA_FILE'
								| 'HTML'
								| 'NUMBER'
								| 'SELECT'
								| 'MULTI_SELECT'
								| 'IMAGE'
								| 'INPUT'
								| 'INPUT_NUMBER'
								| 'SWITCH'
								| 'RADIO'
								| 'CHECKBOX'
								| 'DATE'
								| 'DATE_RANGE'
								| 'DYNAMIC_SELECT';
							label: string;
							tooltip?: string | null;
							enum?:
								| {
										value: string;
										label: string;
										[k: string]: unknown;
								  }[]
								| null;
							max_length?: number | null;
							required?: boolean | null;
							[k: string]: unknown;
						}[];
						[k: string]: unknown;
					}[];
					metadata: {
						large_icon_asset_id: (string | number) | null;
						small_icon_asset_id: (string | number) | null;
						display_name: string;
						description: string;
						large_icon_asset_url?: string | null;
						small_icon_asset_url?: string | null;
						tooltip?: string | null;
						[k: string]: unknown;
					};
					[k: string]: unknown;
				};
			};
		};
		bytes: true;
	};
	/**
	 * Properties of an email template's renderer
	 */
	'GET /v1/email_templates/{emailTemplateId}/renderer_properties': {
		path: {
			emailTemplateId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
				property_type: string;
				value: {
					[k: string]: unknown;
				};
				origin: 'PLUGIN_STATIC' | 'PLUGIN' | 'INSTANCE';
				writable: boolean;
				deletable: boolean;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Organisations the caller may see
	 */
	'GET /v1/organisations': {
		query?: {
			first_result?: number;
			max_results?: number;
			community_id?: string | number;
			administrator_id?: string | number;
			keywords?: string;
			archived?: 'true' | 'false';
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				technical_name: string | null;
				market_id: string | null;
				community_id: string;
				administrator_id: string | null;
				customer_type: string;
				archived: boolean;
				created_by: string | null;
				created_ts: number;
				last_modified_by: string | null;
				last_modified_ts: number;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One organisation
	 */
	'GET /v1/organisations/{organisationId}': {
		path: {
			organisationId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				technical_name: string | null;
				market_id: string | null;
				community_id: string;
				administrator_id: string | null;
				customer_type: string;
				archived: boolean;
				created_by: string | null;
				created_ts: number;
				last_modified_by: string | null;
				last_modified_ts: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Who changed what in an organisation, when and from where, newest first
	 */
	'GET /v1/organisations/{organisationId}/audit_events': {
		path: {
			organisationId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			event?:
				| 'access_token_created'
				| 'refresh_token_created'
				| 'refresh_token_revoked'
				| 'api_token_created'
				| 'api_token_renamed'
				| 'api_token_revoked'
				| 'message_authentication_key_created'
				| 'message_authentication_key_revoked'
				| 'user_created'
				| 'user_changed'
				| 'user_removed'
				| 'user_role_granted'
				| 'user_role_revoked'
				| 'organisation_created'
				| 'datamart_created'
				| 'compartment_created'
				| 'channel_created'
				| 'channel_changed'
				| 'channel_removed'
				| 'document_import_created'
				| 'document_import_changed'
				| 'document_import_removed'
				| 'document_import_executed'
				| 'deletion_receipt_verified'
				| 'final_values_imported'
				| 'datamart_schema_changed'
				| 'audience_feature_created'
				| 'audience_feature_changed'
				| 'audience_feature_removed'
				| 'audience_feature_folder_created'
				| 'audience_feature_folder_changed'
				| 'audience_feature_folder_removed'
				| 'job_execution_canceled'
				| 'dead_letter_replayed'
				| 'dead_letter_removed'
				| 'data_file_stored'
				| 'data_file_removed'
				| 'asset_created'
				| 'asset_removed'
				| 'segment_builder_created'
				| 'segment_builder_changed'
				| 'segment_builder_removed'
				| 'plugin_layout_stored'
				| 'plugin_layout_translation_stored'
				| 'plugin_preset_created'
				| 'plugin_preset_changed'
				| 'plugin_created'
				| 'plugin_changed'
				| 'plugin_version_created'
				| 'plugin_version_changed'
				| 'plugin_worker_changed'
				| 'plugin_worker_rotated'
				| 'plugin_worker_asked'
				| 'plugin_worker_removed'
				| 'configuration_file_stored'
				| 'plugin_instance_created'
				| 'plugin_instance_changed'
				| 'plugin_instance_removed'
				| 'plugin_property_changed'
				| 'plugin_property_reset'
				| 'email_template_created'
				| 'email_template_changed'
				| 'email_test_sent'
				| 'channel_analyzer_linked'
				| 'channel_analyzer_unlinked'
				| 'query_cancelled';
			user_id?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				event:
					| 'access_token_created'
					| 'refresh_token_created'
					| 'refresh_token_revoked'
					| 'api_token_created'
					| 'api_token_renamed'
					| 'api_token_revoked'
					| 'message_authentication_key_created'
					| 'message_authentication_key_revoked'
					| 'user_created'
					| 'user_changed'
					| 'user_removed'
					| 'user_role_granted'
					| 'user_role_revoked'
					| 'organisation_created'
					| 'datamart_created'
					| 'compartment_created'
					| 'channel_created'
					| 'channel_changed'
					| 'channel_removed'
					| 'document_import_created'
					| 'document_import_changed'
					| 'document_import_removed'
					| 'document_import_executed'
					| 'deletion_receipt_verified'
					| 'final_values_imported'
					| 'datamart_schema_changed'
					| 'audience_feature_created'
					| 'audience_feature_changed'
					| 'audience_feature_removed'
					| 'audience_feature_folder_created'
					| 'audience_feature_folder_changed'
					| 'audience_feature_folder_removed'
					| 'job_execution_canceled'
					| 'dead_letter_replayed'
					| 'dead_letter_removed'
					| 'data_file_stored'
					| 'data_file_removed'
					| 'asset_created'
					| 'asset_removed'
					| 'segment_builder_created'
					| 'segment_builder_changed'
					| 'segment_builder_removed'
					| 'plugin_layout_stored'
					| 'plugin_layout_translation_stored'
					| 'plugin_preset_created'
					| 'plugin_preset_changed'
					| 'plugin_created'
					| 'plugin_changed'
					| 'plugin_version_created'
					| 'plugin_version_changed'
					| 'plugin_worker_changed'
					| 'plugin_worker_rotated'
					| 'plugin_worker_asked'
					| 'plugin_worker_removed'
					| 'configuration_file_stored'
					| 'plugin_instance_created'
					| 'plugin_instance_changed'
					| 'plugin_instance_removed'
					| 'plugin_property_changed'
					| 'plugin_property_reset'
					| 'email_template_created'
					| 'email_template_changed'
					| 'email_test_sent'
					| 'channel_analyzer_linked'
					| 'channel_analyzer_unlinked'
					| 'query_cancelled';
				ts: number;
				organisation_id: string | null;
				user_id: string | null;
				credential: string | null;
				credential_id: string | null;
				remote_address: string;
				resource_id: string | null;
				details: {
					[k: string]: unknown;
				};
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * The logo of an organisation, a PNG image
	 */
	'GET /v1/organisations/{organisationId}/logo': {
		path: {
			organisationId: string | number;
		};
		bytes: true;
	};
	/**
	 * One organisation as the caller sees it, with role and datamarts
	 */
	'GET /v1/organisations/{organisationId}/workspace': {
		path: {
			organisationId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				organisation_id: string;
				customer_type: string;
				organisation_name: string;
				administrator: boolean;
				role: 'READER' | 'EDITOR' | 'ORGANISATION_ADMIN' | 'COMMUNITY_ADMIN' | 'CUSTOMER_ADMIN';
				community_id: string;
				administrator_id: string | null;
				datamarts: {
					id: string;
					name: string;
					organisation_id: string;
					token: string;
					creation_date: number;
					time_zone: string;
					type: string;
					datafarm: string;
					storage_model_version: string;
					user_point_system_version: string;
					region: string;
					archived: boolean;
					audience_segment_metrics: {
						[k: string]: unknown;
					}[];
				}[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Plugins that the organisation may use: its own and those of organisations above it
	 */
	'GET /v1/plugins': {
		query?: {
			first_result?: number;
			max_results?: number;
			plugin_type?:
				| 'ACTIVITY_ANALYZER'
				| 'DISPLAY_AD_RENDERER'
				| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
				| 'EMAIL_ROUTER'
				| 'EMAIL_TEMPLATE_RENDERER'
				| 'ATTRIBUTION_PROCESSOR'
				| 'SCENARIO_CUSTOM_ACTION';
			group_id?: string;
			artifact_id?: string;
			organisation_id?: string | number;
			keywords?: string;
			archived?: 'true' | 'false';
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				plugin_type:
					| 'ACTIVITY_ANALYZER'
					| 'DISPLAY_AD_RENDERER'
					| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
					| 'EMAIL_ROUTER'
					| 'EMAIL_TEMPLATE_RENDERER'
					| 'ATTRIBUTION_PROCESSOR'
					| 'SCENARIO_CUSTOM_ACTION';
				group_id: string;
				artifact_id: string;
				current_version_id: string | null;
				archived: boolean;
				creation_date: number;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Presets that the organisation may use: its own and those of organisations above it
	 */
	'GET /v1/plugins.versions.presets': {
		query?: {
			first_result?: number;
			max_results?: number;
			organisation_id?: string | number;
			plugin_type?:
				| 'ACTIVITY_ANALYZER'
				| 'DISPLAY_AD_RENDERER'
				| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
				| 'EMAIL_ROUTER'
				| 'EMAIL_TEMPLATE_RENDERER'
				| 'ATTRIBUTION_PROCESSOR'
				| 'SCENARIO_CUSTOM_ACTION';
			keywords?: string;
			archived?: 'true' | 'false';
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				plugin_id: string;
				plugin_version_id: string;
				plugin_type:
					| 'ACTIVITY_ANALYZER'
					| 'DISPLAY_AD_RENDERER'
					| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
					| 'EMAIL_ROUTER'
					| 'EMAIL_TEMPLATE_RENDERER'
					| 'ATTRIBUTION_PROCESSOR'
					| 'SCENARIO_CUSTOM_ACTION';
				name: string;
				description: string | null;
				properties: {
					technical_name: string;
					property_type: string;
					value: {
						[k: string]: unknown;
					};
				}[];
				creation_ts: number;
				archived: boolean;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * The plugin of a version
	 */
	'GET /v1/plugins/version/{versionId}': {
		path: {
			versionId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				plugin_type:
					| 'ACTIVITY_ANALYZER'
					| 'DISPLAY_AD_RENDERER'
					| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
					| 'EMAIL_ROUTER'
					| 'EMAIL_TEMPLATE_RENDERER'
					| 'ATTRIBUTION_PROCESSOR'
					| 'SCENARIO_CUSTOM_ACTION';
				group_id: string;
				artifact_id: string;
				current_version_id: string | null;
				archived: boolean;
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * One plugin
	 */
	'GET /v1/plugins/{pluginId}': {
		path: {
			pluginId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				plugin_type:
					| 'ACTIVITY_ANALYZER'
					| 'DISPLAY_AD_RENDERER'
					| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
					| 'EMAIL_ROUTER'
					| 'EMAIL_TEMPLATE_RENDERER'
					| 'ATTRIBUTION_PROCESSOR'
					| 'SCENARIO_CUSTOM_ACTION';
				group_id: string;
				artifact_id: string;
				current_version_id: string | null;
				archived: boolean;
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Versions of a plugin
	 */
	'GET /v1/plugins/{pluginId}/versions': {
		path: {
			pluginId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			archived?: 'true' | 'false';
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				plugin_id: string;
				organisation_id: string;
				plugin_type:
					| 'ACTIVITY_ANALYZER'
					| 'DISPLAY_AD_RENDERER'
					| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
					| 'EMAIL_ROUTER'
					| 'EMAIL_TEMPLATE_RENDERER'
					| 'ATTRIBUTION_PROCESSOR'
					| 'SCENARIO_CUSTOM_ACTION';
				group_id: string;
				artifact_id: string;
				version_id: string;
				maintainer_id: string | null;
				build_tag: string | null;
				image_name: string | null;
				max_qps: number | null;
				status: 'DRAFT' | 'ACTIVE' | 'ARCHIVED';
				archived: boolean;
				creation_date: number;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One version of a plugin
	 */
	'GET /v1/plugins/{pluginId}/versions/{versionId}': {
		path: {
			pluginId: string | number;
			versionId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				plugin_id: string;
				organisation_id: string;
				plugin_type:
					| 'ACTIVITY_ANALYZER'
					| 'DISPLAY_AD_RENDERER'
					| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
					| 'EMAIL_ROUTER'
					| 'EMAIL_TEMPLATE_RENDERER'
					| 'ATTRIBUTION_PROCESSOR'
					| 'SCENARIO_CUSTOM_ACTION';
				group_id: string;
				artifact_id: string;
				version_id: string;
				maintainer_id: string | null;
				build_tag: string | null;
				image_name: string | null;
				max_qps: number | null;
				status: 'DRAFT' | 'ACTIVE' | 'ARCHIVED';
				archived: boolean;
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Names of the configuration files of a version
	 */
	'GET /v1/plugins/{pluginId}/versions/{versionId}/configuration_file.listing': {
		path: {
			pluginId: string | number;
			versionId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * The bytes of a configuration file
	 */
	'GET /v1/plugins/{pluginId}/versions/{versionId}/configuration_file/technical_name={technicalName}': {
		path: {
			pluginId: string | number;
			versionId: string | number;
			technicalName: string | number;
		};
		bytes: true;
	};
	/**
	 * What a version runs in: its plugin worker, or nothing
	 */
	'GET /v1/plugins/{pluginId}/versions/{versionId}/containers': {
		path: {
			pluginId: string | number;
			versionId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				plugin_version_id: string;
				url: string;
				status: 'RUNNING' | 'UNREACHABLE';
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Presets of a version that the caller may use
	 */
	'GET /v1/plugins/{pluginId}/versions/{versionId}/presets': {
		path: {
			pluginId: string | number;
			versionId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
			organisation_id?: string | number;
			plugin_type?:
				| 'ACTIVITY_ANALYZER'
				| 'DISPLAY_AD_RENDERER'
				| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
				| 'EMAIL_ROUTER'
				| 'EMAIL_TEMPLATE_RENDERER'
				| 'ATTRIBUTION_PROCESSOR'
				| 'SCENARIO_CUSTOM_ACTION';
			keywords?: string;
			archived?: 'true' | 'false';
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				plugin_id: string;
				plugin_version_id: string;
				plugin_type:
					| 'ACTIVITY_ANALYZER'
					| 'DISPLAY_AD_RENDERER'
					| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
					| 'EMAIL_ROUTER'
					| 'EMAIL_TEMPLATE_RENDERER'
					| 'ATTRIBUTION_PROCESSOR'
					| 'SCENARIO_CUSTOM_ACTION';
				name: string;
				description: string | null;
				properties: {
					technical_name: string;
					property_type: string;
					value: {
						[k: string]: unknown;
					};
				}[];
				creation_ts: number;
				archived: boolean;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One preset
	 */
	'GET /v1/plugins/{pluginId}/versions/{versionId}/presets/{presetId}': {
		path: {
			pluginId: string | number;
			versionId: string | number;
			presetId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				plugin_id: string;
				plugin_version_id: string;
				plugin_type:
					| 'ACTIVITY_ANALYZER'
					| 'DISPLAY_AD_RENDERER'
					| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
					| 'EMAIL_ROUTER'
					| 'EMAIL_TEMPLATE_RENDERER'
					| 'ATTRIBUTION_PROCESSOR'
					| 'SCENARIO_CUSTOM_ACTION';
				name: string;
				description: string | null;
				properties: {
					technical_name: string;
					property_type: string;
					value: {
						[k: string]: unknown;
					};
				}[];
				creation_ts: number;
				archived: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Properties that a version declares
	 */
	'GET /v1/plugins/{pluginId}/versions/{versionId}/properties': {
		path: {
			pluginId: string | number;
			versionId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
				property_type: string;
				value: {
					[k: string]: unknown;
				};
				origin: 'PLUGIN_STATIC' | 'PLUGIN' | 'INSTANCE';
				writable: boolean;
				deletable: boolean;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * The layout of a version: its file, or with a locale its texts put in
	 */
	'GET /v1/plugins/{pluginId}/versions/{versionId}/properties_layout': {
		path: {
			pluginId: string | number;
			versionId: string | number;
		};
		query?: {
			locale?: string;
			default?: 'true' | 'false';
		};
		answer: {
			status: 'ok';
			data: {
				layout: {
					version: string;
					sections: {
						title: string;
						sub_title: string;
						fields: {
							property_technical_name: string;
							field_type:
								| 'TEXTAREA'
								| 'URL'
								| 'DATA_FILE'
								| 'HTML'
								| 'NUMBER'
								| 'SELECT'
								| 'MULTI_SELECT'
								| 'IMAGE'
								| 'INPUT'
								| 'INPUT_NUMBER'
								| 'SWITCH'
								| 'RADIO'
								| 'CHECKBOX'
								| 'DATE'
								| 'DATE_RANGE'
								| 'DYNAMIC_SELECT';
							label: string;
							tooltip?: string | null;
							enum?:
								| {
										value: string;
										label: string;
										[k: string]: unknown;
								  }[]
								| null;
							max_length?: number | null;
							required?: boolean | null;
							[k: string]: unknown;
						}[];
						advanced_fields: {
							property_technical_name: string;
							field_type:
								| 'TEXTAREA'
								| 'URL'
								| 'DATA_FILE'
								| 'HTML'
								| 'NUMBER'
								| 'SELECT'
								| 'MULTI_SELECT'
								| 'IMAGE'
								| 'INPUT'
								| 'INPUT_NUMBER'
								| 'SWITCH'
								| 'RADIO'
								| 'CHECKBOX'
								| 'DATE'
								| 'DATE_RANGE'
								| 'DYNAMIC_SELECT';
							label: string;
							tooltip?: string | null;
							enum?:
								| {
										value: string;
										label: string;
										[k: string]: unknown;
								  }[]
								| null;
							max_length?: number | null;
							required?: boolean | null;
							[k: string]: unknown;
						}[];
						[k: string]: unknown;
					}[];
					metadata: {
						large_icon_asset_id: (string | number) | null;
						small_icon_asset_id: (string | number) | null;
						display_name: string;
						description: string;
						large_icon_asset_url?: string | null;
						small_icon_asset_url?: string | null;
						tooltip?: string | null;
						[k: string]: unknown;
					};
					[k: string]: unknown;
				};
			};
		};
		bytes: true;
	};
	/**
	 * Files of a version's layout
	 */
	'GET /v1/plugins/{pluginId}/versions/{versionId}/properties_layout.listing': {
		path: {
			pluginId: string | number;
			versionId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				file_type: 'PROPERTIES' | 'LOCALE';
				locale?: string;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * The texts of a version's layout in a locale, as CSV
	 */
	'GET /v1/plugins/{pluginId}/versions/{versionId}/properties_layout/localizations/locale={locale}': {
		path: {
			pluginId: string | number;
			versionId: string | number;
			locale: string | number;
		};
		bytes: true;
	};
	/**
	 * Where the plugin worker is and whether it can be reached
	 */
	'GET /v1/plugins/{pluginId}/versions/{versionId}/worker': {
		path: {
			pluginId: string | number;
			versionId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				url: string;
				worker_id: string;
				authentication_token: string | null;
				reachable: boolean;
				creation_date: number;
				plugin_version_id: string;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Queries that run or wait: one’s own, and those of organisations one administers
	 */
	'GET /v1/queries': {
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				status: 'PENDING' | 'RUNNING';
				user_id: string | null;
				organisation_id: string;
				datamart_id: string | null;
				creation_ts: number;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * A query that runs or waits
	 */
	'GET /v1/queries/{queryId}': {
		path: {
			queryId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				status: 'PENDING' | 'RUNNING';
				user_id: string | null;
				organisation_id: string;
				datamart_id: string | null;
				creation_ts: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Users of an organisation, or of all that the caller administers
	 */
	'GET /v1/users': {
		query?: {
			first_result?: number;
			max_results?: number;
			organisation_id?: string | number;
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				first_name: string;
				last_name: string;
				email: string;
				locale: string | null;
				organisation_id: string;
				community_id: string;
				last_password_update: number | null;
				creation_date: number;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One user: oneself, or one of an organisation the caller administers
	 */
	'GET /v1/users/{userId}': {
		path: {
			userId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				first_name: string;
				last_name: string;
				email: string;
				locale: string | null;
				organisation_id: string;
				community_id: string;
				last_password_update: number | null;
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * API tokens of a user, their values masked
	 */
	'GET /v1/users/{userId}/api_tokens': {
		path: {
			userId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name?: string;
				creation_date: number;
				expiration_date: number;
				last_use_date: number | null;
				value: string;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One API token, its value masked
	 */
	'GET /v1/users/{userId}/api_tokens/{tokenId}': {
		path: {
			userId: string | number;
			tokenId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name?: string;
				creation_date: number;
				expiration_date: number;
				last_use_date: number | null;
				value: string;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Message authentication keys of a user, their secrets obfuscated
	 */
	'GET /v1/users/{userId}/message_authentication_keys': {
		path: {
			userId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				user_id: string;
				creation_ts: string;
				expiration_ts: string;
				key_id: string;
				scheme: 'HMAC_SHA256';
				secret_key: string;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * One message authentication key, its secret obfuscated
	 */
	'GET /v1/users/{userId}/message_authentication_keys/{signingKeyId}': {
		path: {
			userId: string | number;
			signingKeyId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				user_id: string;
				creation_ts: string;
				expiration_ts: string;
				key_id: string;
				scheme: 'HMAC_SHA256';
				secret_key: string;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Roles of a user, one an organisation
	 */
	'GET /v1/users/{userId}/user_roles': {
		path: {
			userId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				role: 'READER' | 'EDITOR' | 'ORGANISATION_ADMIN' | 'COMMUNITY_ADMIN' | 'CUSTOMER_ADMIN';
				creation_date: number;
				organisation_id: string;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Instances: activity analyzers
	 */
	'GET /v1/visit_analyzer_models': {
		query?: {
			first_result?: number;
			max_results?: number;
			organisation_id?: string | number;
			keywords?: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				organisation_id: string;
				group_id: string;
				artifact_id: string;
				version_id: string;
				version_value: string;
				preset_id: string | null;
				creation_date: number;
				visit_analyzer_plugin_id: string;
				error_recovery_strategy:
					'STORE_WITH_ERROR_ID' | 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS' | 'DROP';
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Read an activity analyzer
	 */
	'GET /v1/visit_analyzer_models/{analyzerId}': {
		path: {
			analyzerId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				organisation_id: string;
				group_id: string;
				artifact_id: string;
				version_id: string;
				version_value: string;
				preset_id: string | null;
				creation_date: number;
				visit_analyzer_plugin_id: string;
				error_recovery_strategy:
					'STORE_WITH_ERROR_ID' | 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS' | 'DROP';
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Properties of an activity analyzer: the version's, with its own values in place
	 */
	'GET /v1/visit_analyzer_models/{analyzerId}/properties': {
		path: {
			analyzerId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
				property_type: string;
				value: {
					[k: string]: unknown;
				};
				origin: 'PLUGIN_STATIC' | 'PLUGIN' | 'INSTANCE';
				writable: boolean;
				deletable: boolean;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * The layout of its version: the file, or with a locale its texts put in
	 */
	'GET /v1/visit_analyzer_models/{analyzerId}/properties_layout': {
		path: {
			analyzerId: string | number;
		};
		query?: {
			locale?: string;
			default?: 'true' | 'false';
		};
		answer: {
			status: 'ok';
			data: {
				layout: {
					version: string;
					sections: {
						title: string;
						sub_title: string;
						fields: {
							property_technical_name: string;
							field_type:
								| 'TEXTAREA'
								| 'URL'
								| 'DATA_FILE'
								| 'HTML'
								| 'NUMBER'
								| 'SELECT'
								| 'MULTI_SELECT'
								| 'IMAGE'
								| 'INPUT'
								| 'INPUT_NUMBER'
								| 'SWITCH'
								| 'RADIO'
								| 'CHECKBOX'
								| 'DATE'
								| 'DATE_RANGE'
								| 'DYNAMIC_SELECT';
							label: string;
							tooltip?: string | null;
							enum?:
								| {
										value: string;
										label: string;
										[k: string]: unknown;
								  }[]
								| null;
							max_length?: number | null;
							required?: boolean | null;
							[k: string]: unknown;
						}[];
						advanced_fields: {
							property_technical_name: string;
							field_type:
								| 'TEXTAREA'
								| 'URL'
								| 'DATA_FILE'
								| 'HTML'
								| 'NUMBER'
								| 'SELECT'
								| 'MULTI_SELECT'
								| 'IMAGE'
								| 'INPUT'
								| 'INPUT_NUMBER'
								| 'SWITCH'
								| 'RADIO'
								| 'CHECKBOX'
								| 'DATE'
								| 'DATE_RANGE'
								| 'DYNAMIC_SELECT';
							label: string;
							tooltip?: string | null;
							enum?:
								| {
										value: string;
										label: string;
										[k: string]: unknown;
								  }[]
								| null;
							max_length?: number | null;
							required?: boolean | null;
							[k: string]: unknown;
						}[];
						[k: string]: unknown;
					}[];
					metadata: {
						large_icon_asset_id: (string | number) | null;
						small_icon_asset_id: (string | number) | null;
						display_name: string;
						description: string;
						large_icon_asset_url?: string | null;
						small_icon_asset_url?: string | null;
						tooltip?: string | null;
						[k: string]: unknown;
					};
					[k: string]: unknown;
				};
			};
		};
		bytes: true;
	};
	/**
	 * Log in with a password or a refresh token: a temporary access token, good for an hour
	 */
	'POST /v1/access_tokens': {
		body: unknown;
		answer: {
			status: 'ok';
			data: {
				access_token: string;
				expires_in: number;
				refresh_token: string | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Make an activity analyzer of a plugin's version, with values of its own or a preset's
	 */
	'POST /v1/activity_analyzers': {
		query?: {
			organisation_id?: string | number | null;
		};
		body: {
			name: string;
			organisation_id?: string | number | null;
			group_id?: string | null;
			artifact_id?: string | null;
			version_id?: (string | number) | null;
			version_value?: string | null;
			preset_id?: string | number | null;
			properties?:
				| {
						technical_name: string;
						property_type?: string | null;
						value?: unknown;
						[k: string]: unknown;
				  }[]
				| null;
			visit_analyzer_plugin_id?: string | number | null;
			error_recovery_strategy:
				'STORE_WITH_ERROR_ID' | 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS' | 'DROP';
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				organisation_id: string;
				group_id: string;
				artifact_id: string;
				version_id: string;
				version_value: string;
				preset_id: string | null;
				creation_date: number;
				visit_analyzer_plugin_id: string;
				error_recovery_strategy:
					'STORE_WITH_ERROR_ID' | 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS' | 'DROP';
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Keep a file for plugins to show: a form with a file, or the file itself
	 */
	'POST /v1/asset_files': {
		query: {
			organisation_id: string | number;
			name?: string;
		};
		raw: 'application/octet-stream';
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				original_name: string;
				mime_type: string;
				path: string;
				size: number;
				creation_ts: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Keep a file for plugins to show: a form with a file, or the file itself
	 */
	'POST /v1/assets': {
		query: {
			organisation_id: string | number;
			name?: string;
		};
		raw: 'application/octet-stream';
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				original_name: string;
				mime_type: string;
				path: string;
				size: number;
				creation_ts: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Log in with a password or a refresh token: a temporary access token, good for an hour
	 */
	'POST /v1/authentication/access_tokens': {
		body: unknown;
		answer: {
			status: 'ok';
			data: {
				access_token: string;
				expires_in: number;
				refresh_token: string | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Log out: ends a refresh token and the access tokens made with it, for whoever holds it
	 */
	'POST /v1/authentication/refresh_token/revoke': {
		body: {
			refresh_token: string;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Log in for longer: a refresh token, good for 30 days
	 */
	'POST /v1/authentication/refresh_tokens': {
		body: {
			email: string;
			password: string;
		};
		answer: {
			status: 'ok';
			data: {
				refresh_token: string;
				expires_in: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Log out: ends a refresh token and the access tokens made with it, for whoever holds it
	 */
	'POST /v1/authentication/refresh_tokens/revoke': {
		body: {
			refresh_token: string;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Put an activity analyzer behind those a channel has; at most five
	 */
	'POST /v1/channels/{channelId}/visit_analyzer_models': {
		path: {
			channelId: string | number;
		};
		body: {
			visit_analyzer_model_id: string | number;
			channel_id?: string | number | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				channel_id: string;
				visit_analyzer_model_id: string;
				execution_order: number;
				creation_ts: number;
				created_by: string | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Make a datamart with its default compartment
	 */
	'POST /v1/datamarts': {
		query?: {
			first_result?: number;
			max_results?: number;
			organisation_id?: string | number;
			keywords?: string;
			archived?: 'true' | 'false';
		};
		body: {
			name: string;
			organisation_id?: string | number | null;
			time_zone?: string | null;
			type?: 'DATAMART' | null;
			token?: string | null;
			datafarm?: string | null;
			region?: string | null;
			storage_model_version?: string | null;
			user_point_system_version?: string | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				organisation_id: string;
				token: string;
				creation_date: number;
				time_zone: string;
				type: string;
				datafarm: string;
				storage_model_version: string;
				user_point_system_version: string;
				region: string;
				archived: boolean;
				audience_segment_metrics: {
					[k: string]: unknown;
				}[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Make a segment builder; a datamart has at most 20
	 */
	'POST /v1/datamarts/{datamartId}/audience_builders': {
		path: {
			datamartId: string | number;
		};
		body: {
			datamart_id?: string | number | null;
			demographics_features_ids?: (string | number)[] | null;
			initial_audience_feature_ids?: (string | number)[] | null;
			name: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				name: string;
				parent_id: string | null;
				children_ids: string[];
				audience_features_ids: string[];
				demographics_features_ids: string[];
				initial_audience_feature_ids: string[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Create a folder, at the top or in another one; a datamart has at most 100
	 */
	'POST /v1/datamarts/{datamartId}/audience_feature_folders': {
		path: {
			datamartId: string | number;
		};
		body: {
			datamart_id?: string | number | null;
			name: string;
			parent_id?: string | number | null;
			[k: string]: unknown;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				datamart_id: string;
				parent_id: string | null;
				children_ids: string[];
				audience_features_ids: string[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Create an audience feature; its variables are read out of the expression where none are given
	 */
	'POST /v1/datamarts/{datamartId}/audience_features': {
		path: {
			datamartId: string | number;
		};
		body: {
			name: string;
			description?: string | null;
			token?: string | null;
			addressable_object?: string;
			object_tree_expression?: string;
			folder_id?: string | number | null;
			variables?:
				| {
						field_name: string;
						parameter_name: string;
						/**
						 * @minItems 1
						 * @maxItems 20
						 */
						path: string[];
						type?: string;
						[k: string]: unknown;
				  }[]
				| null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				datamart_id: string;
				description: string | null;
				token: string;
				addressable_object: string;
				object_tree_expression: string;
				folder_id: string | null;
				creation_date: number;
				variables: {
					field_name: string;
					parameter_name: string;
					path: string[];
					type: string;
					values?: string[];
				}[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Make a site or a mobile application
	 */
	'POST /v1/datamarts/{datamartId}/channels': {
		path: {
			datamartId: string | number;
		};
		body: {
			name: string;
			type: 'SITE' | 'MOBILE_APPLICATION';
			domain?: string | null;
			token?: string | null;
			enable_analytics?: boolean | null;
			enable_installation_id_aggregation?: boolean | null;
			organisation_id?: string | number | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				type: 'SITE' | 'MOBILE_APPLICATION';
				datamart_id: string;
				organisation_id: string;
				token: string;
				domain: string | null;
				creation_ts: number;
				enable_analytics: boolean;
				enable_installation_id_aggregation: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Make a compartment
	 */
	'POST /v1/datamarts/{datamartId}/compartments': {
		path: {
			datamartId: string | number;
		};
		body: {
			name: string;
			token?: string | null;
			default?: boolean | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				compartment_id: string;
				token: string;
				name: string;
				default: boolean;
				datamart_id: string;
				organisation_id: string;
				archived: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Process a dead letter again: its own activity, or the corrected one in the body
	 */
	'POST /v1/datamarts/{datamartId}/dead_letters/{deadLetterId}/replay': {
		path: {
			datamartId: string | number;
			deadLetterId: string | number;
		};
		query?: {
			async?: 'true' | 'false';
			processing_pipeline?: 'true' | 'false';
		};
		body: string;
		answer: {
			status: 'ok';
			data: {
				id: string;
				result: 'accepted';
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Create a document import: what kind of file its executions bring
	 */
	'POST /v1/datamarts/{datamartId}/document_imports': {
		path: {
			datamartId: string | number;
		};
		body: {
			document_type:
				| 'USER_ACTIVITY'
				| 'USER_SEGMENT'
				| 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS'
				| 'USER_IDENTIFIERS_DELETION';
			mime_type: 'APPLICATION_X_NDJSON';
			encoding?: string | null;
			name: string;
			priority?: ('HIGH' | 'MEDIUM' | 'LOW') | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				datafarm_key: string;
				name: string;
				encoding: string;
				mime_type: 'APPLICATION_X_NDJSON';
				document_type:
					| 'USER_ACTIVITY'
					| 'USER_SEGMENT'
					| 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS'
					| 'USER_IDENTIFIERS_DELETION';
				priority: 'HIGH' | 'MEDIUM' | 'LOW';
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Import a file of at most 100 MB: ndjson as the body, or as the part `file` of a form
	 */
	'POST /v1/datamarts/{datamartId}/document_imports/{documentImportId}/executions': {
		path: {
			datamartId: string | number;
			documentImportId: string | number;
		};
		raw: 'application/x-ndjson' | 'multipart/form-data';
		answer: {
			status: 'ok';
			data: {
				id: string;
				status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';
				creation_date: number;
				start_date: number | null;
				duration: number | null;
				organisation_id: string;
				user_id: string | null;
				cancel_status: ('REQUESTED' | 'DONE') | null;
				debug: null;
				is_retryable: boolean;
				permalink_uri: string;
				num_tasks: number;
				completed_tasks: number;
				erroneous_tasks: number;
				retry_count: number;
				job_type: 'DOCUMENT_IMPORT' | 'REFERENCE_TABLE';
				import_mode: 'MANUAL_FILE';
				import_type: string | null;
				external_model_name: string;
				external_model_id: string | null;
				parameters: {
					datamart_id: number;
					document_import_id?: number;
					document_type?: string;
					mime_type: string;
					file_uri: string;
				};
				result: {
					total_success: number;
					total_failure: number;
					input_file_name: string | null;
					input_file_uri: string | null;
					error_file_uri: string | null;
					receipt?: {
						found: number;
						removed: number;
						unknown: number;
						finished_ts: number;
						receipt_file_uri: string | null;
						receipt_file_sha256?: string;
						signature: string;
					};
				} | null;
				error: {
					message: string;
				} | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Cancel an execution: a pending one at once, a running one at its next step
	 */
	'POST /v1/datamarts/{datamartId}/document_imports/{documentImportId}/executions/{executionId}/action': {
		path: {
			datamartId: string | number;
			documentImportId: string | number;
			executionId: string | number;
		};
		body: {
			action: 'CANCEL';
			[k: string]: unknown;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';
				creation_date: number;
				start_date: number | null;
				duration: number | null;
				organisation_id: string;
				user_id: string | null;
				cancel_status: ('REQUESTED' | 'DONE') | null;
				debug: null;
				is_retryable: boolean;
				permalink_uri: string;
				num_tasks: number;
				completed_tasks: number;
				erroneous_tasks: number;
				retry_count: number;
				job_type: 'DOCUMENT_IMPORT' | 'REFERENCE_TABLE';
				import_mode: 'MANUAL_FILE';
				import_type: string | null;
				external_model_name: string;
				external_model_id: string | null;
				parameters: {
					datamart_id: number;
					document_import_id?: number;
					document_type?: string;
					mime_type: string;
					file_uri: string;
				};
				result: {
					total_success: number;
					total_failure: number;
					input_file_name: string | null;
					input_file_uri: string | null;
					error_file_uri: string | null;
					receipt?: {
						found: number;
						removed: number;
						unknown: number;
						finished_ts: number;
						receipt_file_uri: string | null;
						receipt_file_sha256?: string;
						signature: string;
					};
				} | null;
				error: {
					message: string;
				} | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Whether a deletion was asked for an identifier, what became of it, and whether its receipt is genuine
	 */
	'POST /v1/datamarts/{datamartId}/document_imports/{documentImportId}/executions/{executionId}/receipt/verification': {
		path: {
			datamartId: string | number;
			documentImportId: string | number;
			executionId: string | number;
		};
		body:
			| {
					type: 'USER_ACCOUNT';
					user_account_id: string;
					compartment_id?: string | number | null;
					[k: string]: unknown;
			  }
			| {
					type: 'USER_EMAIL';
					hash: string;
					email?: string | null;
					[k: string]: unknown;
			  }
			| {
					type: 'USER_AGENT';
					user_agent_id: string;
					[k: string]: unknown;
			  };
		answer: {
			status: 'ok';
			data: {
				was_deleted: boolean;
				lines: {
					line: number;
					result: 'removed' | 'unknown';
				}[];
				finished_ts: number;
				receipt_valid: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Create a document import: what kind of file its executions bring
	 */
	'POST /v1/datamarts/{datamartId}/documents_imports': {
		path: {
			datamartId: string | number;
		};
		body: {
			document_type:
				| 'USER_ACTIVITY'
				| 'USER_SEGMENT'
				| 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS'
				| 'USER_IDENTIFIERS_DELETION';
			mime_type: 'APPLICATION_X_NDJSON';
			encoding?: string | null;
			name: string;
			priority?: ('HIGH' | 'MEDIUM' | 'LOW') | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				datafarm_key: string;
				name: string;
				encoding: string;
				mime_type: 'APPLICATION_X_NDJSON';
				document_type:
					| 'USER_ACTIVITY'
					| 'USER_SEGMENT'
					| 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS'
					| 'USER_IDENTIFIERS_DELETION';
				priority: 'HIGH' | 'MEDIUM' | 'LOW';
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Import a file of at most 100 MB: ndjson as the body, or as the part `file` of a form
	 */
	'POST /v1/datamarts/{datamartId}/documents_imports/{documentImportId}/executions': {
		path: {
			datamartId: string | number;
			documentImportId: string | number;
		};
		raw: 'application/x-ndjson' | 'multipart/form-data';
		answer: {
			status: 'ok';
			data: {
				id: string;
				status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';
				creation_date: number;
				start_date: number | null;
				duration: number | null;
				organisation_id: string;
				user_id: string | null;
				cancel_status: ('REQUESTED' | 'DONE') | null;
				debug: null;
				is_retryable: boolean;
				permalink_uri: string;
				num_tasks: number;
				completed_tasks: number;
				erroneous_tasks: number;
				retry_count: number;
				job_type: 'DOCUMENT_IMPORT' | 'REFERENCE_TABLE';
				import_mode: 'MANUAL_FILE';
				import_type: string | null;
				external_model_name: string;
				external_model_id: string | null;
				parameters: {
					datamart_id: number;
					document_import_id?: number;
					document_type?: string;
					mime_type: string;
					file_uri: string;
				};
				result: {
					total_success: number;
					total_failure: number;
					input_file_name: string | null;
					input_file_uri: string | null;
					error_file_uri: string | null;
					receipt?: {
						found: number;
						removed: number;
						unknown: number;
						finished_ts: number;
						receipt_file_uri: string | null;
						receipt_file_sha256?: string;
						signature: string;
					};
				} | null;
				error: {
					message: string;
				} | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Cancel an execution: a pending one at once, a running one at its next step
	 */
	'POST /v1/datamarts/{datamartId}/documents_imports/{documentImportId}/executions/{executionId}/action': {
		path: {
			datamartId: string | number;
			documentImportId: string | number;
			executionId: string | number;
		};
		body: {
			action: 'CANCEL';
			[k: string]: unknown;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';
				creation_date: number;
				start_date: number | null;
				duration: number | null;
				organisation_id: string;
				user_id: string | null;
				cancel_status: ('REQUESTED' | 'DONE') | null;
				debug: null;
				is_retryable: boolean;
				permalink_uri: string;
				num_tasks: number;
				completed_tasks: number;
				erroneous_tasks: number;
				retry_count: number;
				job_type: 'DOCUMENT_IMPORT' | 'REFERENCE_TABLE';
				import_mode: 'MANUAL_FILE';
				import_type: string | null;
				external_model_name: string;
				external_model_id: string | null;
				parameters: {
					datamart_id: number;
					document_import_id?: number;
					document_type?: string;
					mime_type: string;
					file_uri: string;
				};
				result: {
					total_success: number;
					total_failure: number;
					input_file_name: string | null;
					input_file_uri: string | null;
					error_file_uri: string | null;
					receipt?: {
						found: number;
						removed: number;
						unknown: number;
						finished_ts: number;
						receipt_file_uri: string | null;
						receipt_file_sha256?: string;
						signature: string;
					};
				} | null;
				error: {
					message: string;
				} | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Import final values from a CSV file; they replace the former ones if every line is good
	 */
	'POST /v1/datamarts/{datamartId}/reference_table_job_executions': {
		path: {
			datamartId: string | number;
		};
		raw: 'application/octet-stream';
		answer: {
			status: 'ok';
			data: {
				id: string;
				status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';
				creation_date: number;
				start_date: number | null;
				duration: number | null;
				organisation_id: string;
				user_id: string | null;
				cancel_status: ('REQUESTED' | 'DONE') | null;
				debug: null;
				is_retryable: boolean;
				permalink_uri: string;
				num_tasks: number;
				completed_tasks: number;
				erroneous_tasks: number;
				retry_count: number;
				job_type: 'DOCUMENT_IMPORT' | 'REFERENCE_TABLE';
				import_mode: 'MANUAL_FILE';
				import_type: string | null;
				external_model_name: string;
				external_model_id: string | null;
				parameters: {
					datamart_id: number;
					document_import_id?: number;
					document_type?: string;
					mime_type: string;
					file_uri: string;
				};
				result: {
					total_success: number;
					total_failure: number;
					input_file_name: string | null;
					input_file_uri: string | null;
					error_file_uri: string | null;
					receipt?: {
						found: number;
						removed: number;
						unknown: number;
						finished_ts: number;
						receipt_file_uri: string | null;
						receipt_file_sha256?: string;
						signature: string;
					};
				} | null;
				error: {
					message: string;
				} | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Cancel an import of final values: the former ones are kept
	 */
	'POST /v1/datamarts/{datamartId}/reference_table_job_executions/{executionId}/action': {
		path: {
			datamartId: string | number;
			executionId: string | number;
		};
		body: {
			action: 'CANCEL';
			[k: string]: unknown;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';
				creation_date: number;
				start_date: number | null;
				duration: number | null;
				organisation_id: string;
				user_id: string | null;
				cancel_status: ('REQUESTED' | 'DONE') | null;
				debug: null;
				is_retryable: boolean;
				permalink_uri: string;
				num_tasks: number;
				completed_tasks: number;
				erroneous_tasks: number;
				retry_count: number;
				job_type: 'DOCUMENT_IMPORT' | 'REFERENCE_TABLE';
				import_mode: 'MANUAL_FILE';
				import_type: string | null;
				external_model_name: string;
				external_model_id: string | null;
				parameters: {
					datamart_id: number;
					document_import_id?: number;
					document_type?: string;
					mime_type: string;
					file_uri: string;
				};
				result: {
					total_success: number;
					total_failure: number;
					input_file_name: string | null;
					input_file_uri: string | null;
					error_file_uri: string | null;
					receipt?: {
						found: number;
						removed: number;
						unknown: number;
						finished_ts: number;
						receipt_file_uri: string | null;
						receipt_file_sha256?: string;
						signature: string;
					};
				} | null;
				error: {
					message: string;
				} | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Make a segment builder; a datamart has at most 20
	 */
	'POST /v1/datamarts/{datamartId}/standard_segment_builders': {
		path: {
			datamartId: string | number;
		};
		body: {
			datamart_id?: string | number | null;
			demographics_features_ids?: (string | number)[] | null;
			initial_audience_feature_ids?: (string | number)[] | null;
			name: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				name: string;
				parent_id: string | null;
				children_ids: string[];
				audience_features_ids: string[];
				demographics_features_ids: string[];
				initial_audience_feature_ids: string[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Accept user activities: a JSON object, a JSON array, or ndjson
	 */
	'POST /v1/datamarts/{datamartId}/user_activities': {
		path: {
			datamartId: string | number;
		};
		query?: {
			async?: 'true' | 'false';
			processing_pipeline?: 'true' | 'false';
		};
		body:
			| {
					$type: string;
					$ts?: number | null;
					$session_status?: string | null;
					$session_duration?: number | null;
					$site_id?: string | null;
					$app_id?: string | null;
					$user_agent?: string | null;
					$user_agent_info?: {
						[k: string]: unknown;
					} | null;
					$origin?: {
						[k: string]: unknown;
					} | null;
					$campaign_id?: string | number | null;
					$unique_key?: string | null;
					$user_identifiers?:
						| (
								| {
										$type: 'USER_ACCOUNT';
										$user_account_id: string;
										$compartment_id?: string | number | null;
										[k: string]: unknown;
								  }
								| {
										$type: 'USER_AGENT';
										$user_agent_id: string;
										[k: string]: unknown;
								  }
								| {
										$type: 'USER_EMAIL';
										$hash: string;
										$email?: string | null;
										[k: string]: unknown;
								  }
						  )[]
						| null;
					$user_agent_id?: string | null;
					$user_account_id?: string | null;
					$compartment_id?: string | number | null;
					$email_hash?: {
						$hash: string;
						$email?: string | null;
						[k: string]: unknown;
					} | null;
					$events?:
						| {
								$event_name: string;
								$ts?: number | null;
								$properties?: {
									$amount?: unknown;
									[k: string]: unknown;
								} | null;
								[k: string]: unknown;
						  }[]
						| null;
					[k: string]: unknown;
			  }
			| {
					$type: string;
					$ts?: number | null;
					$session_status?: string | null;
					$session_duration?: number | null;
					$site_id?: string | null;
					$app_id?: string | null;
					$user_agent?: string | null;
					$user_agent_info?: {
						[k: string]: unknown;
					} | null;
					$origin?: {
						[k: string]: unknown;
					} | null;
					$campaign_id?: string | number | null;
					$unique_key?: string | null;
					$user_identifiers?:
						| (
								| {
										$type: 'USER_ACCOUNT';
										$user_account_id: string;
										$compartment_id?: string | number | null;
										[k: string]: unknown;
								  }
								| {
										$type: 'USER_AGENT';
										$user_agent_id: string;
										[k: string]: unknown;
								  }
								| {
										$type: 'USER_EMAIL';
										$hash: string;
										$email?: string | null;
										[k: string]: unknown;
								  }
						  )[]
						| null;
					$user_agent_id?: string | null;
					$user_account_id?: string | null;
					$compartment_id?: string | number | null;
					$email_hash?: {
						$hash: string;
						$email?: string | null;
						[k: string]: unknown;
					} | null;
					$events?:
						| {
								$event_name: string;
								$ts?: number | null;
								$properties?: {
									$amount?: unknown;
									[k: string]: unknown;
								} | null;
								[k: string]: unknown;
						  }[]
						| null;
					[k: string]: unknown;
			  }[];
		raw: 'application/x-ndjson';
		answer: {
			status: 'ok';
			data:
				| true
				| {
						records: {
							index: number;
							result: 'accepted' | 'duplicate' | 'rejected';
							error?: {
								error: string;
								error_code: string;
								errors: {
									pointer: string;
									message: string;
								}[];
							};
						}[];
				  };
			[k: string]: unknown;
		};
	};
	/**
	 * Metrics of user activities per value of some dimensions, or the values themselves
	 */
	'POST /v1/datamarts/{datamartId}/user_activities_analytics': {
		path: {
			datamartId: string | number;
		};
		body: {
			/**
			 * @maxItems 100
			 */
			date_ranges: {
				start_date: string;
				end_date: string;
			}[];
			/**
			 * @maxItems 32
			 */
			dimensions: {
				name: string;
			}[];
			/**
			 * @maxItems 32
			 */
			metrics: {
				expression: string;
			}[];
			dimension_filter_clauses?: {
				operator?: string | null;
				filters?:
					| {
							dimension_name: string;
							operator: string;
							expressions?: (string | number)[] | null;
							not?: boolean | null;
							case_sensitive?: boolean | null;
					  }[]
					| null;
			} | null;
			metric_filter_clauses?: {
				operator?: string | null;
				filters?:
					| {
							metric_name: string;
							operator: string;
							comparison_value: string | number;
							not?: boolean | null;
					  }[]
					| null;
			} | null;
			order_by?:
				| (
						| {
								field_name: string;
								sort_order?: string | null;
						  }
						| {
								field_name: string;
								sort_order?: string | null;
						  }[]
				  )
				| null;
			first_result?: number | null;
			max_result?: number | null;
			max_results?: number | null;
			sample_factor?: 1 | null;
		};
		answer: {
			status: 'ok';
			data: {
				report_view: {
					items_per_page: number;
					total_items: number;
					columns_headers: string[];
					rows: (string | number | null)[][];
				};
			};
			[k: string]: unknown;
		};
	};
	/**
	 * How far user points get through a list of steps
	 */
	'POST /v1/datamarts/{datamartId}/user_activities_funnel': {
		path: {
			datamartId: string | number;
		};
		body: {
			for?:
				| {
						name?: string | null;
						filter_clause?: {
							operator?: string | null;
							filters?:
								| {
										dimension_name: string;
										operator: string;
										expressions?: (string | number)[] | null;
										not?: boolean | null;
										case_sensitive?: boolean | null;
								  }[]
								| null;
						} | null;
						filterClause?: {
							operator?: string | null;
							filters?:
								| {
										dimension_name: string;
										operator: string;
										expressions?: (string | number)[] | null;
										not?: boolean | null;
										case_sensitive?: boolean | null;
								  }[]
								| null;
						} | null;
						group_by_dimensions?: string[] | null;
						group_by_dimension?: string | null;
						max_days_after_previous_step?: number | null;
				  }[]
				| null;
			in:
				| {
						type: 'DATES';
						start_date: string;
						end_date: string;
				  }
				| {
						type: 'WINDOW';
						unit: 'DAY' | 'WEEK' | 'MONTH';
						offset: number;
				  };
			limit?: number | null;
			number_of_parts_to_split_on?: number | null;
			exclusions?:
				| {
						after_step: number;
						filter_clause?: {
							operator?: string | null;
							filters?:
								| {
										dimension_name: string;
										operator: string;
										expressions?: (string | number)[] | null;
										not?: boolean | null;
										case_sensitive?: boolean | null;
								  }[]
								| null;
						} | null;
				  }[]
				| null;
			holding_dimension?: string | null;
			time_to_convert?: boolean | null;
			sample_factor?: number | null;
			as_of?: string | null;
		};
		answer: {
			status: 'ok';
			data: {
				global: {
					total: number;
					steps: {
						name: string;
						count: number;
						interaction_duration: number;
						conversion?: number;
						amount?: number;
						time_to_convert?: {
							median: number;
							histogram: {
								from: number;
								until: number | null;
								count: number;
							}[];
						};
					}[];
				};
				grouped_by: {
					dimension_names: string[];
					dimension_values: (string | null)[];
					dimension_name?: string;
					dimension_value?: string | null;
					dimension_decorator?: string;
					funnel: {
						total: number;
						steps: {
							name: string;
							count: number;
							interaction_duration: number;
							conversion?: number;
							amount?: number;
							time_to_convert?: {
								median: number;
								histogram: {
									from: number;
									until: number | null;
									count: number;
								}[];
							};
						}[];
					};
				}[];
				sampling?: {
					sample_factor: number;
					user_points: number;
				};
			};
			[k: string]: unknown;
		};
	};
	/**
	 * The user points that a step of a funnel counts, or those lost at it
	 */
	'POST /v1/datamarts/{datamartId}/user_activities_funnel/user_points': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		body: {
			for?:
				| {
						name?: string | null;
						filter_clause?: {
							operator?: string | null;
							filters?:
								| {
										dimension_name: string;
										operator: string;
										expressions?: (string | number)[] | null;
										not?: boolean | null;
										case_sensitive?: boolean | null;
								  }[]
								| null;
						} | null;
						filterClause?: {
							operator?: string | null;
							filters?:
								| {
										dimension_name: string;
										operator: string;
										expressions?: (string | number)[] | null;
										not?: boolean | null;
										case_sensitive?: boolean | null;
								  }[]
								| null;
						} | null;
						group_by_dimensions?: string[] | null;
						group_by_dimension?: string | null;
						max_days_after_previous_step?: number | null;
				  }[]
				| null;
			in:
				| {
						type: 'DATES';
						start_date: string;
						end_date: string;
				  }
				| {
						type: 'WINDOW';
						unit: 'DAY' | 'WEEK' | 'MONTH';
						offset: number;
				  };
			limit?: number | null;
			number_of_parts_to_split_on?: number | null;
			exclusions?:
				| {
						after_step: number;
						filter_clause?: {
							operator?: string | null;
							filters?:
								| {
										dimension_name: string;
										operator: string;
										expressions?: (string | number)[] | null;
										not?: boolean | null;
										case_sensitive?: boolean | null;
								  }[]
								| null;
						} | null;
				  }[]
				| null;
			holding_dimension?: string | null;
			time_to_convert?: boolean | null;
			sample_factor?: number | null;
			as_of?: string | null;
			step: number | string;
			lost?: boolean | null;
			first_result?: number;
			max_results?: number;
			cursor?: string | null;
		};
		answer: {
			status: 'ok';
			data: {
				user_point_id: string;
				reached_step: number;
				ts: number | null;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * How far user points get through a list of steps
	 */
	'POST /v1/datamarts/{datamartId}/user_analytics_funnel': {
		path: {
			datamartId: string | number;
		};
		body: {
			for?:
				| {
						name?: string | null;
						filter_clause?: {
							operator?: string | null;
							filters?:
								| {
										dimension_name: string;
										operator: string;
										expressions?: (string | number)[] | null;
										not?: boolean | null;
										case_sensitive?: boolean | null;
								  }[]
								| null;
						} | null;
						filterClause?: {
							operator?: string | null;
							filters?:
								| {
										dimension_name: string;
										operator: string;
										expressions?: (string | number)[] | null;
										not?: boolean | null;
										case_sensitive?: boolean | null;
								  }[]
								| null;
						} | null;
						group_by_dimensions?: string[] | null;
						group_by_dimension?: string | null;
						max_days_after_previous_step?: number | null;
				  }[]
				| null;
			in:
				| {
						type: 'DATES';
						start_date: string;
						end_date: string;
				  }
				| {
						type: 'WINDOW';
						unit: 'DAY' | 'WEEK' | 'MONTH';
						offset: number;
				  };
			limit?: number | null;
			number_of_parts_to_split_on?: number | null;
			exclusions?:
				| {
						after_step: number;
						filter_clause?: {
							operator?: string | null;
							filters?:
								| {
										dimension_name: string;
										operator: string;
										expressions?: (string | number)[] | null;
										not?: boolean | null;
										case_sensitive?: boolean | null;
								  }[]
								| null;
						} | null;
				  }[]
				| null;
			holding_dimension?: string | null;
			time_to_convert?: boolean | null;
			sample_factor?: number | null;
			as_of?: string | null;
		};
		answer: {
			status: 'ok';
			data: {
				global: {
					total: number;
					steps: {
						name: string;
						count: number;
						interaction_duration: number;
						conversion?: number;
						amount?: number;
						time_to_convert?: {
							median: number;
							histogram: {
								from: number;
								until: number | null;
								count: number;
							}[];
						};
					}[];
				};
				grouped_by: {
					dimension_names: string[];
					dimension_values: (string | null)[];
					dimension_name?: string;
					dimension_value?: string | null;
					dimension_decorator?: string;
					funnel: {
						total: number;
						steps: {
							name: string;
							count: number;
							interaction_duration: number;
							conversion?: number;
							amount?: number;
							time_to_convert?: {
								median: number;
								histogram: {
									from: number;
									until: number | null;
									count: number;
								}[];
							};
						}[];
					};
				}[];
				sampling?: {
					sample_factor: number;
					user_points: number;
				};
			};
			[k: string]: unknown;
		};
	};
	/**
	 * The user points that a step of a funnel counts, or those lost at it
	 */
	'POST /v1/datamarts/{datamartId}/user_analytics_funnel/user_points': {
		path: {
			datamartId: string | number;
		};
		query?: {
			first_result?: number;
			max_results?: number;
		};
		body: {
			for?:
				| {
						name?: string | null;
						filter_clause?: {
							operator?: string | null;
							filters?:
								| {
										dimension_name: string;
										operator: string;
										expressions?: (string | number)[] | null;
										not?: boolean | null;
										case_sensitive?: boolean | null;
								  }[]
								| null;
						} | null;
						filterClause?: {
							operator?: string | null;
							filters?:
								| {
										dimension_name: string;
										operator: string;
										expressions?: (string | number)[] | null;
										not?: boolean | null;
										case_sensitive?: boolean | null;
								  }[]
								| null;
						} | null;
						group_by_dimensions?: string[] | null;
						group_by_dimension?: string | null;
						max_days_after_previous_step?: number | null;
				  }[]
				| null;
			in:
				| {
						type: 'DATES';
						start_date: string;
						end_date: string;
				  }
				| {
						type: 'WINDOW';
						unit: 'DAY' | 'WEEK' | 'MONTH';
						offset: number;
				  };
			limit?: number | null;
			number_of_parts_to_split_on?: number | null;
			exclusions?:
				| {
						after_step: number;
						filter_clause?: {
							operator?: string | null;
							filters?:
								| {
										dimension_name: string;
										operator: string;
										expressions?: (string | number)[] | null;
										not?: boolean | null;
										case_sensitive?: boolean | null;
								  }[]
								| null;
						} | null;
				  }[]
				| null;
			holding_dimension?: string | null;
			time_to_convert?: boolean | null;
			sample_factor?: number | null;
			as_of?: string | null;
			step: number | string;
			lost?: boolean | null;
			first_result?: number;
			max_results?: number;
			cursor?: string | null;
		};
		answer: {
			status: 'ok';
			data: {
				user_point_id: string;
				reached_step: number;
				ts: number | null;
			}[];
			/**
			 * how many are on this page
			 */
			count: number;
			/**
			 * how many there are
			 */
			total: number;
			first_result: number;
			max_results: number;
			[k: string]: unknown;
		};
	};
	/**
	 * Declare that identifiers belong to one person; answered once they resolve to one user point
	 */
	'POST /v1/datamarts/{datamartId}/user_identifiers_association_declarations': {
		path: {
			datamartId: string | number;
		};
		query?: {
			async?: 'true' | 'false';
		};
		body: {
			/**
			 * @minItems 1
			 * @maxItems 1000
			 */
			identifiers: (
				| {
						type: 'USER_ACCOUNT';
						user_account_id: string;
						compartment_id?: string | number | null;
						[k: string]: unknown;
				  }
				| {
						type: 'USER_EMAIL';
						hash: string;
						email?: string | null;
						[k: string]: unknown;
				  }
				| {
						type: 'USER_AGENT';
						user_agent_id: string;
						[k: string]: unknown;
				  }
			)[];
			[k: string]: unknown;
		};
		answer: {
			status: 'ok';
			data: {};
			[k: string]: unknown;
		};
	};
	/**
	 * Make an email router of a plugin's version, with values of its own or a preset's
	 */
	'POST /v1/email_routers': {
		query?: {
			organisation_id?: string | number | null;
		};
		body: {
			name: string;
			organisation_id?: string | number | null;
			group_id?: string | null;
			artifact_id?: string | null;
			version_id?: (string | number) | null;
			version_value?: string | null;
			preset_id?: string | number | null;
			properties?:
				| {
						technical_name: string;
						property_type?: string | null;
						value?: unknown;
						[k: string]: unknown;
				  }[]
				| null;
			email_router_plugin_id?: string | number | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				organisation_id: string;
				group_id: string;
				artifact_id: string;
				version_id: string;
				version_value: string;
				preset_id: string | null;
				creation_date: number;
				email_router_plugin_id: string;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Make an email template on a renderer plugin's version
	 */
	'POST /v1/email_templates': {
		query?: {
			organisation_id?: string | number | null;
		};
		body: {
			type?: 'EMAIL_TEMPLATE' | null;
			organisation_id?: string | number | null;
			name: string;
			technical_name?: string | null;
			subtype?: string | null;
			renderer_group_id?: string | null;
			renderer_artifact_id?: string | null;
			renderer_plugin_id?: string | number | null;
			renderer_version_id?: (string | number) | null;
			renderer_version_value?: string | null;
			editor_group_id?: string | null;
			editor_artifact_id?: string | null;
			preset_id?: string | number | null;
			properties?:
				| {
						technical_name: string;
						property_type?: string | null;
						value?: unknown;
						[k: string]: unknown;
				  }[]
				| null;
		};
		answer: {
			status: 'ok';
			data: {
				type: 'EMAIL_TEMPLATE';
				id: string;
				organisation_id: string;
				name: string;
				technical_name: string | null;
				archived: boolean;
				editor_version_id: string | null;
				editor_version_value: string | null;
				editor_group_id: string | null;
				editor_artifact_id: string | null;
				editor_plugin_id: string | null;
				renderer_version_id: string;
				renderer_version_value: string;
				renderer_group_id: string;
				renderer_artifact_id: string;
				renderer_plugin_id: string;
				creation_date: number;
				subtype: string | null;
				email_renderer_id: string;
				preset_id: string | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Send an email template to an address, through its renderer and an email router
	 */
	'POST /v1/email_templates/{emailTemplateId}/send_test': {
		path: {
			emailTemplateId: string | number;
		};
		body: {
			organisation_id?: string | number | null;
			email: string;
			email_router_id?: string | number | null;
			context?: ('LIVE' | 'STAGE' | 'PREVIEW') | null;
			datamart_id?: string | number | null;
			campaign_id?: (string | number) | null;
			campaign_technical_name?: string | null;
			blast_id?: (string | number) | null;
			user_data_bag?: {
				[k: string]: unknown;
			} | null;
			click_urls?: string[] | null;
			email_tracking_url?: string | null;
		};
		answer: {
			status: 'ok';
			data: {
				call_id: string;
				result: boolean;
				refused_by: ('email_router_check' | 'email_routing') | null;
				context: 'LIVE' | 'STAGE' | 'PREVIEW';
				organisation_id: string;
				email_template_id: string;
				email_renderer_id: string;
				email_router_id: string;
				datamart_id: string | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Make an organisation, or a sub-organisation of another
	 */
	'POST /v1/organisations': {
		body: {
			name: string;
			technical_name?: string | null;
			market_id?: string | number | null;
			community_id?: string | number | null;
			administrator_id?: string | number | null;
			type?: string | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				technical_name: string | null;
				market_id: string | null;
				community_id: string;
				administrator_id: string | null;
				customer_type: string;
				archived: boolean;
				created_by: string | null;
				created_ts: number;
				last_modified_by: string | null;
				last_modified_ts: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * How many elements of each collection there are
	 */
	'POST /v1/platform_monitoring/collections': {
		body: {
			/**
			 * @maxItems 100
			 */
			date_ranges: {
				start_date: string;
				end_date: string;
			}[];
			/**
			 * @maxItems 32
			 */
			dimensions: {
				name: string;
			}[];
			/**
			 * @maxItems 32
			 */
			metrics: {
				expression: string;
			}[];
			dimension_filter_clauses?: {
				operator?: string | null;
				filters?:
					| {
							dimension_name: string;
							operator: string;
							expressions?: (string | number)[] | null;
							not?: boolean | null;
							case_sensitive?: boolean | null;
					  }[]
					| null;
			} | null;
			metric_filter_clauses?: {
				operator?: string | null;
				filters?:
					| {
							metric_name: string;
							operator: string;
							comparison_value: string | number;
							not?: boolean | null;
					  }[]
					| null;
			} | null;
			order_by?:
				| (
						| {
								field_name: string;
								sort_order?: string | null;
						  }
						| {
								field_name: string;
								sort_order?: string | null;
						  }[]
				  )
				| null;
			first_result?: number | null;
			max_result?: number | null;
			max_results?: number | null;
			sample_factor?: 1 | null;
		};
		answer: {
			status: 'ok';
			data: {
				report_view: {
					items_per_page: number;
					total_items: number;
					columns_headers: string[];
					rows: (string | number | null)[][];
				};
			};
			[k: string]: unknown;
		};
	};
	/**
	 * How many events came how far, and what stopped others
	 */
	'POST /v1/platform_monitoring/data_ingestion': {
		body: {
			/**
			 * @maxItems 100
			 */
			date_ranges: {
				start_date: string;
				end_date: string;
			}[];
			/**
			 * @maxItems 32
			 */
			dimensions: {
				name: string;
			}[];
			/**
			 * @maxItems 32
			 */
			metrics: {
				expression: string;
			}[];
			dimension_filter_clauses?: {
				operator?: string | null;
				filters?:
					| {
							dimension_name: string;
							operator: string;
							expressions?: (string | number)[] | null;
							not?: boolean | null;
							case_sensitive?: boolean | null;
					  }[]
					| null;
			} | null;
			metric_filter_clauses?: {
				operator?: string | null;
				filters?:
					| {
							metric_name: string;
							operator: string;
							comparison_value: string | number;
							not?: boolean | null;
					  }[]
					| null;
			} | null;
			order_by?:
				| (
						| {
								field_name: string;
								sort_order?: string | null;
						  }
						| {
								field_name: string;
								sort_order?: string | null;
						  }[]
				  )
				| null;
			first_result?: number | null;
			max_result?: number | null;
			max_results?: number | null;
			sample_factor?: 1 | null;
		};
		answer: {
			status: 'ok';
			data: {
				report_view: {
					items_per_page: number;
					total_items: number;
					columns_headers: string[];
					rows: (string | number | null)[][];
				};
			};
			[k: string]: unknown;
		};
	};
	/**
	 * What queries cost and how much data was brought
	 */
	'POST /v1/platform_monitoring/resources_usage': {
		body: {
			/**
			 * @maxItems 100
			 */
			date_ranges: {
				start_date: string;
				end_date: string;
			}[];
			/**
			 * @maxItems 32
			 */
			dimensions: {
				name: string;
			}[];
			/**
			 * @maxItems 32
			 */
			metrics: {
				expression: string;
			}[];
			dimension_filter_clauses?: {
				operator?: string | null;
				filters?:
					| {
							dimension_name: string;
							operator: string;
							expressions?: (string | number)[] | null;
							not?: boolean | null;
							case_sensitive?: boolean | null;
					  }[]
					| null;
			} | null;
			metric_filter_clauses?: {
				operator?: string | null;
				filters?:
					| {
							metric_name: string;
							operator: string;
							comparison_value: string | number;
							not?: boolean | null;
					  }[]
					| null;
			} | null;
			order_by?:
				| (
						| {
								field_name: string;
								sort_order?: string | null;
						  }
						| {
								field_name: string;
								sort_order?: string | null;
						  }[]
				  )
				| null;
			first_result?: number | null;
			max_result?: number | null;
			max_results?: number | null;
			sample_factor?: 1 | null;
		};
		answer: {
			status: 'ok';
			data: {
				report_view: {
					items_per_page: number;
					total_items: number;
					columns_headers: string[];
					rows: (string | number | null)[][];
				};
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Register a plugin by its type, group and artifact
	 */
	'POST /v1/plugins': {
		body: {
			plugin_type?:
				| (
						| 'ACTIVITY_ANALYZER'
						| 'DISPLAY_AD_RENDERER'
						| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
						| 'EMAIL_ROUTER'
						| 'EMAIL_TEMPLATE_RENDERER'
						| 'ATTRIBUTION_PROCESSOR'
						| 'SCENARIO_CUSTOM_ACTION'
				  )
				| null;
			organisation_id: string | number;
			group_id: string;
			artifact_id: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				plugin_type:
					| 'ACTIVITY_ANALYZER'
					| 'DISPLAY_AD_RENDERER'
					| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
					| 'EMAIL_ROUTER'
					| 'EMAIL_TEMPLATE_RENDERER'
					| 'ATTRIBUTION_PROCESSOR'
					| 'SCENARIO_CUSTOM_ACTION';
				group_id: string;
				artifact_id: string;
				current_version_id: string | null;
				archived: boolean;
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Register a version with its properties; it becomes the current one
	 */
	'POST /v1/plugins/{pluginId}/versions': {
		path: {
			pluginId: string | number;
		};
		body: {
			version_id: string;
			maintainer_id?: string | number | null;
			max_qps?: number | null;
			build_tag?: string | null;
			image_name?: string | null;
			plugin_properties?:
				| {
						technical_name: string;
						property_type: string;
						value?: unknown;
						origin?: ('PLUGIN_STATIC' | 'PLUGIN') | null;
						writable?: boolean | null;
						deletable?: boolean | null;
						[k: string]: unknown;
				  }[]
				| null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				plugin_id: string;
				organisation_id: string;
				plugin_type:
					| 'ACTIVITY_ANALYZER'
					| 'DISPLAY_AD_RENDERER'
					| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
					| 'EMAIL_ROUTER'
					| 'EMAIL_TEMPLATE_RENDERER'
					| 'ATTRIBUTION_PROCESSOR'
					| 'SCENARIO_CUSTOM_ACTION';
				group_id: string;
				artifact_id: string;
				version_id: string;
				maintainer_id: string | null;
				build_tag: string | null;
				image_name: string | null;
				max_qps: number | null;
				status: 'DRAFT' | 'ACTIVE' | 'ARCHIVED';
				archived: boolean;
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Ask a version’s plugin worker: CHECK, GET_METADATA, GET_LOG_LEVEL, SET_LOG_LEVEL {level}
	 */
	'POST /v1/plugins/{pluginId}/versions/{versionId}/containers/action': {
		path: {
			pluginId: string | number;
			versionId: string | number;
		};
		body: {
			action: string;
			args?: unknown;
		};
		answer: {
			status: 'ok';
			data: {
				action: string;
				container: {
					id: string;
					plugin_version_id: string;
					url: string;
					status: 'RUNNING' | 'UNREACHABLE';
				};
				result: unknown;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Make a preset: its values replace the defaults and are fixed in instances made from it
	 */
	'POST /v1/plugins/{pluginId}/versions/{versionId}/presets': {
		path: {
			pluginId: string | number;
			versionId: string | number;
		};
		body: {
			organisation_id: string | number;
			name: string;
			description?: string | null;
			plugin_type?:
				| (
						| 'ACTIVITY_ANALYZER'
						| 'DISPLAY_AD_RENDERER'
						| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
						| 'EMAIL_ROUTER'
						| 'EMAIL_TEMPLATE_RENDERER'
						| 'ATTRIBUTION_PROCESSOR'
						| 'SCENARIO_CUSTOM_ACTION'
				  )
				| null;
			properties?:
				| {
						technical_name: string;
						property_type?: string | null;
						value?: unknown;
						[k: string]: unknown;
				  }[]
				| null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				plugin_id: string;
				plugin_version_id: string;
				plugin_type:
					| 'ACTIVITY_ANALYZER'
					| 'DISPLAY_AD_RENDERER'
					| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
					| 'EMAIL_ROUTER'
					| 'EMAIL_TEMPLATE_RENDERER'
					| 'ATTRIBUTION_PROCESSOR'
					| 'SCENARIO_CUSTOM_ACTION';
				name: string;
				description: string | null;
				properties: {
					technical_name: string;
					property_type: string;
					value: {
						[k: string]: unknown;
					};
				}[];
				creation_ts: number;
				archived: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Another token for the plugin worker, shown in this answer alone; the former ends at once
	 */
	'POST /v1/plugins/{pluginId}/versions/{versionId}/worker/rotation': {
		path: {
			pluginId: string | number;
			versionId: string | number;
		};
		answer: {
			status: 'ok';
			data: {
				url: string;
				worker_id: string;
				authentication_token: string | null;
				reachable: boolean;
				creation_date: number;
				plugin_version_id: string;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Make a user; without a password nobody logs in until one is set
	 */
	'POST /v1/users': {
		query?: {
			first_result?: number;
			max_results?: number;
			organisation_id?: string | number;
			keywords?: string;
		};
		body: {
			first_name?: string | null;
			last_name?: string | null;
			email: string;
			locale?: string | null;
			password?: string | null;
			organisation_id?: string | number | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				first_name: string;
				last_name: string;
				email: string;
				locale: string | null;
				organisation_id: string;
				community_id: string;
				last_password_update: number | null;
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Make an API token; its value is shown in this answer alone
	 */
	'POST /v1/users/{userId}/api_tokens': {
		path: {
			userId: string | number;
		};
		body: {
			name?: string | null;
			expiration_date?: number | null;
			lifetime_months?: number | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name?: string;
				creation_date: number;
				expiration_date: number;
				last_use_date: number | null;
				value: string;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Make a message authentication key; its secret is shown in this answer alone
	 */
	'POST /v1/users/{userId}/message_authentication_keys': {
		path: {
			userId: string | number;
		};
		body: {
			scheme: 'HMAC_SHA256';
			key_id: string;
			expiration_ts?: (number | string) | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				user_id: string;
				creation_ts: string;
				expiration_ts: string;
				key_id: string;
				scheme: 'HMAC_SHA256';
				secret_key: string;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Give a role in an organisation, in place of the one held there; none above one’s own
	 */
	'POST /v1/users/{userId}/user_roles': {
		path: {
			userId: string | number;
		};
		body: {
			organisation_id: string | number;
			role: 'READER' | 'EDITOR' | 'ORGANISATION_ADMIN' | 'COMMUNITY_ADMIN' | 'CUSTOMER_ADMIN';
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				role: 'READER' | 'EDITOR' | 'ORGANISATION_ADMIN' | 'COMMUNITY_ADMIN' | 'CUSTOMER_ADMIN';
				creation_date: number;
				organisation_id: string;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Make an activity analyzer of a plugin's version, with values of its own or a preset's
	 */
	'POST /v1/visit_analyzer_models': {
		query?: {
			organisation_id?: string | number | null;
		};
		body: {
			name: string;
			organisation_id?: string | number | null;
			group_id?: string | null;
			artifact_id?: string | null;
			version_id?: (string | number) | null;
			version_value?: string | null;
			preset_id?: string | number | null;
			properties?:
				| {
						technical_name: string;
						property_type?: string | null;
						value?: unknown;
						[k: string]: unknown;
				  }[]
				| null;
			visit_analyzer_plugin_id?: string | number | null;
			error_recovery_strategy:
				'STORE_WITH_ERROR_ID' | 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS' | 'DROP';
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				organisation_id: string;
				group_id: string;
				artifact_id: string;
				version_id: string;
				version_value: string;
				preset_id: string | null;
				creation_date: number;
				visit_analyzer_plugin_id: string;
				error_recovery_strategy:
					'STORE_WITH_ERROR_ID' | 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS' | 'DROP';
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Change an activity analyzer: its name, its version, what becomes of failures
	 */
	'PUT /v1/activity_analyzers/{analyzerId}': {
		path: {
			analyzerId: string | number;
		};
		body: {
			name?: string | null;
			version_id?: string | number | null;
			error_recovery_strategy?:
				('STORE_WITH_ERROR_ID' | 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS' | 'DROP') | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				organisation_id: string;
				group_id: string;
				artifact_id: string;
				version_id: string;
				version_value: string;
				preset_id: string | null;
				creation_date: number;
				visit_analyzer_plugin_id: string;
				error_recovery_strategy:
					'STORE_WITH_ERROR_ID' | 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS' | 'DROP';
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Give a property of an activity analyzer a value of its own
	 */
	'PUT /v1/activity_analyzers/{analyzerId}/properties/technical_name={technicalName}': {
		path: {
			analyzerId: string | number;
			technicalName: string | number;
		};
		body: {
			technical_name?: string | null;
			property_type?: string | null;
			value?: unknown;
			[k: string]: unknown;
		};
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
				property_type: string;
				value: {
					[k: string]: unknown;
				};
				origin: 'PLUGIN_STATIC' | 'PLUGIN' | 'INSTANCE';
				writable: boolean;
				deletable: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Store a configuration file of the plugin worker's own version
	 */
	'PUT /v1/configuration/technical_name={technicalName}': {
		path: {
			technicalName: string | number;
		};
		raw: 'application/octet-stream';
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Store a file in place of what its URI names; a dashboard is looked into first
	 */
	'PUT /v1/data_file/data': {
		query: {
			uri: string;
			name?: string;
		};
		raw: 'application/octet-stream';
		answer: {
			status: 'ok';
			data: {
				uri: string;
				organisation_id: string;
				name: string | null;
				content_type: string | null;
				size: number;
				sha256: string;
				creation_ts: number;
				last_modified: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Change a segment builder; what is absent stays
	 */
	'PUT /v1/datamarts/{datamartId}/audience_builders/{builderId}': {
		path: {
			datamartId: string | number;
			builderId: string | number;
		};
		body: {
			datamart_id?: string | number | null;
			demographics_features_ids?: (string | number)[] | null;
			initial_audience_feature_ids?: (string | number)[] | null;
			name?: string | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				name: string;
				parent_id: string | null;
				children_ids: string[];
				audience_features_ids: string[];
				demographics_features_ids: string[];
				initial_audience_feature_ids: string[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Rename a folder, or move it
	 */
	'PUT /v1/datamarts/{datamartId}/audience_feature_folders/{audienceFeatureFolderId}': {
		path: {
			datamartId: string | number;
			audienceFeatureFolderId: string | number;
		};
		body: {
			datamart_id?: string | number | null;
			name?: string | null;
			parent_id?: string | number | null;
			[k: string]: unknown;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				datamart_id: string;
				parent_id: string | null;
				children_ids: string[];
				audience_features_ids: string[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Replace an audience feature; it keeps its token where none is given
	 */
	'PUT /v1/datamarts/{datamartId}/audience_features/{audienceFeatureId}': {
		path: {
			datamartId: string | number;
			audienceFeatureId: string | number;
		};
		body: {
			name: string;
			description?: string | null;
			token?: string | null;
			addressable_object?: string;
			object_tree_expression?: string;
			folder_id?: string | number | null;
			variables?:
				| {
						field_name: string;
						parameter_name: string;
						/**
						 * @minItems 1
						 * @maxItems 20
						 */
						path: string[];
						type?: string;
						[k: string]: unknown;
				  }[]
				| null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				datamart_id: string;
				description: string | null;
				token: string;
				addressable_object: string;
				object_tree_expression: string;
				folder_id: string | null;
				creation_date: number;
				variables: {
					field_name: string;
					parameter_name: string;
					path: string[];
					type: string;
					values?: string[];
				}[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Change a document import’s name, priority or encoding
	 */
	'PUT /v1/datamarts/{datamartId}/document_imports/{documentImportId}': {
		path: {
			datamartId: string | number;
			documentImportId: string | number;
		};
		body: {
			document_type?:
				| (
						| 'USER_ACTIVITY'
						| 'USER_SEGMENT'
						| 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS'
						| 'USER_IDENTIFIERS_DELETION'
				  )
				| null;
			mime_type?: 'APPLICATION_X_NDJSON' | null;
			encoding?: string | null;
			name?: string | null;
			priority?: ('HIGH' | 'MEDIUM' | 'LOW') | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				datafarm_key: string;
				name: string;
				encoding: string;
				mime_type: 'APPLICATION_X_NDJSON';
				document_type:
					| 'USER_ACTIVITY'
					| 'USER_SEGMENT'
					| 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS'
					| 'USER_IDENTIFIERS_DELETION';
				priority: 'HIGH' | 'MEDIUM' | 'LOW';
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Change a document import’s name, priority or encoding
	 */
	'PUT /v1/datamarts/{datamartId}/documents_imports/{documentImportId}': {
		path: {
			datamartId: string | number;
			documentImportId: string | number;
		};
		body: {
			document_type?:
				| (
						| 'USER_ACTIVITY'
						| 'USER_SEGMENT'
						| 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS'
						| 'USER_IDENTIFIERS_DELETION'
				  )
				| null;
			mime_type?: 'APPLICATION_X_NDJSON' | null;
			encoding?: string | null;
			name?: string | null;
			priority?: ('HIGH' | 'MEDIUM' | 'LOW') | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				datafarm_key: string;
				name: string;
				encoding: string;
				mime_type: 'APPLICATION_X_NDJSON';
				document_type:
					| 'USER_ACTIVITY'
					| 'USER_SEGMENT'
					| 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS'
					| 'USER_IDENTIFIERS_DELETION';
				priority: 'HIGH' | 'MEDIUM' | 'LOW';
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Replace the text of a schema; values that were imported before stay
	 */
	'PUT /v1/datamarts/{datamartId}/graphdb_runtime_schemas/{schemaId}/text': {
		path: {
			datamartId: string | number;
			schemaId: string | number;
		};
		raw: 'application/octet-stream';
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				status: 'LIVE';
				creation_date: number;
				last_modified_date: number;
				publication_date: number;
				suspension_date: null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Change a channel of type MOBILE_APPLICATION
	 */
	'PUT /v1/datamarts/{datamartId}/mobile_applications/{mobileApplicationId}': {
		path: {
			datamartId: string | number;
			mobileApplicationId: string | number;
		};
		body: {
			name?: string;
			domain?: string | null;
			enable_analytics?: boolean;
			enable_installation_id_aggregation?: boolean;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				type: 'SITE' | 'MOBILE_APPLICATION';
				datamart_id: string;
				organisation_id: string;
				token: string;
				domain: string | null;
				creation_ts: number;
				enable_analytics: boolean;
				enable_installation_id_aggregation: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Change a channel of type SITE
	 */
	'PUT /v1/datamarts/{datamartId}/sites/{siteId}': {
		path: {
			datamartId: string | number;
			siteId: string | number;
		};
		body: {
			name?: string;
			domain?: string | null;
			enable_analytics?: boolean;
			enable_installation_id_aggregation?: boolean;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				type: 'SITE' | 'MOBILE_APPLICATION';
				datamart_id: string;
				organisation_id: string;
				token: string;
				domain: string | null;
				creation_ts: number;
				enable_analytics: boolean;
				enable_installation_id_aggregation: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Change a segment builder; what is absent stays
	 */
	'PUT /v1/datamarts/{datamartId}/standard_segment_builders/{builderId}': {
		path: {
			datamartId: string | number;
			builderId: string | number;
		};
		body: {
			datamart_id?: string | number | null;
			demographics_features_ids?: (string | number)[] | null;
			initial_audience_feature_ids?: (string | number)[] | null;
			name?: string | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				datamart_id: string;
				name: string;
				parent_id: string | null;
				children_ids: string[];
				audience_features_ids: string[];
				demographics_features_ids: string[];
				initial_audience_feature_ids: string[];
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Put a person into a segment, or change the membership: data_bag, expiration_ts
	 */
	'PUT /v1/datamarts/{datamartId}/user_points/{selector}/user_segments/{segmentId}': {
		path: {
			datamartId: string | number;
			selector: string | number;
			segmentId: string | number;
		};
		body: {
			data_bag?:
				| (
						| string
						| {
								[k: string]: unknown;
						  }
				  )
				| null;
			expiration_ts?: (number | string) | null;
		};
		answer: {
			status: 'ok';
			data: {
				segment_id: string;
				data_bag: unknown;
				creation_ts: number;
				last_modified_ts: number;
				expiration_ts?: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Change an email router: its name, its version, what becomes of failures
	 */
	'PUT /v1/email_routers/{emailRouterId}': {
		path: {
			emailRouterId: string | number;
		};
		body: {
			name?: string | null;
			version_id?: string | number | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				organisation_id: string;
				group_id: string;
				artifact_id: string;
				version_id: string;
				version_value: string;
				preset_id: string | null;
				creation_date: number;
				email_router_plugin_id: string;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Give a property of an email router a value of its own
	 */
	'PUT /v1/email_routers/{emailRouterId}/properties/technical_name={technicalName}': {
		path: {
			emailRouterId: string | number;
			technicalName: string | number;
		};
		body: {
			technical_name?: string | null;
			property_type?: string | null;
			value?: unknown;
			[k: string]: unknown;
		};
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
				property_type: string;
				value: {
					[k: string]: unknown;
				};
				origin: 'PLUGIN_STATIC' | 'PLUGIN' | 'INSTANCE';
				writable: boolean;
				deletable: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Change an email template, or archive it
	 */
	'PUT /v1/email_templates/{emailTemplateId}': {
		path: {
			emailTemplateId: string | number;
		};
		body: {
			name?: string | null;
			technical_name?: string | null;
			subtype?: string | null;
			archived?: boolean | null;
			renderer_version_id?: string | number | null;
		};
		answer: {
			status: 'ok';
			data: {
				type: 'EMAIL_TEMPLATE';
				id: string;
				organisation_id: string;
				name: string;
				technical_name: string | null;
				archived: boolean;
				editor_version_id: string | null;
				editor_version_value: string | null;
				editor_group_id: string | null;
				editor_artifact_id: string | null;
				editor_plugin_id: string | null;
				renderer_version_id: string;
				renderer_version_value: string;
				renderer_group_id: string;
				renderer_artifact_id: string;
				renderer_plugin_id: string;
				creation_date: number;
				subtype: string | null;
				email_renderer_id: string;
				preset_id: string | null;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Give a property of an email template's renderer a value of its own
	 */
	'PUT /v1/email_templates/{emailTemplateId}/renderer_properties/technical_name={technicalName}': {
		path: {
			emailTemplateId: string | number;
			technicalName: string | number;
		};
		body: {
			technical_name?: string | null;
			property_type?: string | null;
			value?: unknown;
			[k: string]: unknown;
		};
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
				property_type: string;
				value: {
					[k: string]: unknown;
				};
				origin: 'PLUGIN_STATIC' | 'PLUGIN' | 'INSTANCE';
				writable: boolean;
				deletable: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Store the logo of an organisation: a form with a PNG image, or the image itself
	 */
	'PUT /v1/organisations/{organisationId}/logo': {
		path: {
			organisationId: string | number;
		};
		raw: 'application/octet-stream';
		answer: {
			status: 'ok';
			data: {
				uri: string;
				organisation_id: string;
				name: string | null;
				content_type: string | null;
				size: number;
				sha256: string;
				creation_ts: number;
				last_modified: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Archive a plugin, or say which version new instances take
	 */
	'PUT /v1/plugins/{pluginId}': {
		path: {
			pluginId: string | number;
		};
		body: {
			current_version_id?: string | number | null;
			archived?: boolean | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				plugin_type:
					| 'ACTIVITY_ANALYZER'
					| 'DISPLAY_AD_RENDERER'
					| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
					| 'EMAIL_ROUTER'
					| 'EMAIL_TEMPLATE_RENDERER'
					| 'ATTRIBUTION_PROCESSOR'
					| 'SCENARIO_CUSTOM_ACTION';
				group_id: string;
				artifact_id: string;
				current_version_id: string | null;
				archived: boolean;
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Archive a version, or change its limit and labels
	 */
	'PUT /v1/plugins/{pluginId}/versions/{versionId}': {
		path: {
			pluginId: string | number;
			versionId: string | number;
		};
		body: {
			maintainer_id?: string | number | null;
			max_qps?: number | null;
			build_tag?: string | null;
			image_name?: string | null;
			archived?: boolean;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				plugin_id: string;
				organisation_id: string;
				plugin_type:
					| 'ACTIVITY_ANALYZER'
					| 'DISPLAY_AD_RENDERER'
					| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
					| 'EMAIL_ROUTER'
					| 'EMAIL_TEMPLATE_RENDERER'
					| 'ATTRIBUTION_PROCESSOR'
					| 'SCENARIO_CUSTOM_ACTION';
				group_id: string;
				artifact_id: string;
				version_id: string;
				maintainer_id: string | null;
				build_tag: string | null;
				image_name: string | null;
				max_qps: number | null;
				status: 'DRAFT' | 'ACTIVE' | 'ARCHIVED';
				archived: boolean;
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Store a configuration file, in place of what was there
	 */
	'PUT /v1/plugins/{pluginId}/versions/{versionId}/configuration_file/technical_name={technicalName}': {
		path: {
			pluginId: string | number;
			versionId: string | number;
			technicalName: string | number;
		};
		raw: 'application/octet-stream';
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Archive a preset for good, or rename it; its values stay
	 */
	'PUT /v1/plugins/{pluginId}/versions/{versionId}/presets/{presetId}': {
		path: {
			pluginId: string | number;
			versionId: string | number;
			presetId: string | number;
		};
		body: {
			name?: string | null;
			description?: string | null;
			archived?: boolean | null;
			properties?:
				| {
						technical_name: string;
						property_type?: string | null;
						value?: unknown;
						[k: string]: unknown;
				  }[]
				| null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				organisation_id: string;
				plugin_id: string;
				plugin_version_id: string;
				plugin_type:
					| 'ACTIVITY_ANALYZER'
					| 'DISPLAY_AD_RENDERER'
					| 'AUDIENCE_SEGMENT_EXTERNAL_FEED'
					| 'EMAIL_ROUTER'
					| 'EMAIL_TEMPLATE_RENDERER'
					| 'ATTRIBUTION_PROCESSOR'
					| 'SCENARIO_CUSTOM_ACTION';
				name: string;
				description: string | null;
				properties: {
					technical_name: string;
					property_type: string;
					value: {
						[k: string]: unknown;
					};
				}[];
				creation_ts: number;
				archived: boolean;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Store the layout of a version
	 */
	'PUT /v1/plugins/{pluginId}/versions/{versionId}/properties_layout': {
		path: {
			pluginId: string | number;
			versionId: string | number;
		};
		raw: 'application/octet-stream';
		answer: {
			status: 'ok';
			data: {
				layout: {
					version: string;
					sections: {
						title: string;
						sub_title: string;
						fields: {
							property_technical_name: string;
							field_type:
								| 'TEXTAREA'
								| 'URL'
								| 'DATA_FILE'
								| 'HTML'
								| 'NUMBER'
								| 'SELECT'
								| 'MULTI_SELECT'
								| 'IMAGE'
								| 'INPUT'
								| 'INPUT_NUMBER'
								| 'SWITCH'
								| 'RADIO'
								| 'CHECKBOX'
								| 'DATE'
								| 'DATE_RANGE'
								| 'DYNAMIC_SELECT';
							label: string;
							tooltip?: string | null;
							enum?:
								| {
										value: string;
										label: string;
										[k: string]: unknown;
								  }[]
								| null;
							max_length?: number | null;
							required?: boolean | null;
							[k: string]: unknown;
						}[];
						advanced_fields: {
							property_technical_name: string;
							field_type:
								| 'TEXTAREA'
								| 'URL'
								| 'DATA_FILE'
								| 'HTML'
								| 'NUMBER'
								| 'SELECT'
								| 'MULTI_SELECT'
								| 'IMAGE'
								| 'INPUT'
								| 'INPUT_NUMBER'
								| 'SWITCH'
								| 'RADIO'
								| 'CHECKBOX'
								| 'DATE'
								| 'DATE_RANGE'
								| 'DYNAMIC_SELECT';
							label: string;
							tooltip?: string | null;
							enum?:
								| {
										value: string;
										label: string;
										[k: string]: unknown;
								  }[]
								| null;
							max_length?: number | null;
							required?: boolean | null;
							[k: string]: unknown;
						}[];
						[k: string]: unknown;
					}[];
					metadata: {
						large_icon_asset_id: (string | number) | null;
						small_icon_asset_id: (string | number) | null;
						display_name: string;
						description: string;
						large_icon_asset_url?: string | null;
						small_icon_asset_url?: string | null;
						tooltip?: string | null;
						[k: string]: unknown;
					};
					[k: string]: unknown;
				};
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Store the texts of a version's layout in a locale, as CSV with the header KEY,VALUE
	 */
	'PUT /v1/plugins/{pluginId}/versions/{versionId}/properties_layout/localizations/locale={locale}': {
		path: {
			pluginId: string | number;
			versionId: string | number;
			locale: string | number;
		};
		raw: 'application/octet-stream';
		answer: {
			status: 'ok';
			data: {
				file_type: 'PROPERTIES' | 'LOCALE';
				locale?: string;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Say where the plugin worker is; its token is shown in this answer alone
	 */
	'PUT /v1/plugins/{pluginId}/versions/{versionId}/worker': {
		path: {
			pluginId: string | number;
			versionId: string | number;
		};
		body: {
			url: string;
		};
		answer: {
			status: 'ok';
			data: {
				url: string;
				worker_id: string;
				authentication_token: string | null;
				reachable: boolean;
				creation_date: number;
				plugin_version_id: string;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Change names, address, locale or password; one’s own password with current_password
	 */
	'PUT /v1/users/{userId}': {
		path: {
			userId: string | number;
		};
		body: {
			first_name?: string | null;
			last_name?: string | null;
			email?: string | null;
			locale?: string | null;
			password?: string | null;
			current_password?: string | null;
			organisation_id?: string | number | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				first_name: string;
				last_name: string;
				email: string;
				locale: string | null;
				organisation_id: string;
				community_id: string;
				last_password_update: number | null;
				creation_date: number;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Rename an API token
	 */
	'PUT /v1/users/{userId}/api_tokens/{tokenId}': {
		path: {
			userId: string | number;
			tokenId: string | number;
		};
		body: {
			name: string;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name?: string;
				creation_date: number;
				expiration_date: number;
				last_use_date: number | null;
				value: string;
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Change an activity analyzer: its name, its version, what becomes of failures
	 */
	'PUT /v1/visit_analyzer_models/{analyzerId}': {
		path: {
			analyzerId: string | number;
		};
		body: {
			name?: string | null;
			version_id?: string | number | null;
			error_recovery_strategy?:
				('STORE_WITH_ERROR_ID' | 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS' | 'DROP') | null;
		};
		answer: {
			status: 'ok';
			data: {
				id: string;
				name: string;
				organisation_id: string;
				group_id: string;
				artifact_id: string;
				version_id: string;
				version_value: string;
				preset_id: string | null;
				creation_date: number;
				visit_analyzer_plugin_id: string;
				error_recovery_strategy:
					'STORE_WITH_ERROR_ID' | 'STORE_WITH_ERROR_ID_AND_SKIP_UPCOMING_ANALYZERS' | 'DROP';
			};
			[k: string]: unknown;
		};
	};
	/**
	 * Give a property of an activity analyzer a value of its own
	 */
	'PUT /v1/visit_analyzer_models/{analyzerId}/properties/technical_name={technicalName}': {
		path: {
			analyzerId: string | number;
			technicalName: string | number;
		};
		body: {
			technical_name?: string | null;
			property_type?: string | null;
			value?: unknown;
			[k: string]: unknown;
		};
		answer: {
			status: 'ok';
			data: {
				technical_name: string;
				property_type: string;
				value: {
					[k: string]: unknown;
				};
				origin: 'PLUGIN_STATIC' | 'PLUGIN' | 'INSTANCE';
				writable: boolean;
				deletable: boolean;
			};
			[k: string]: unknown;
		};
	};
}

/**
 * A refusal: nothing was changed
 */
export interface ErrorAnswer {
	status: 'error';
	error: string;
	error_code:
		| 'json_malformed'
		| 'body_too_large'
		| 'body_unreadable'
		| 'body_missing'
		| 'encoding_invalid'
		| 'csv_header_invalid'
		| 'final_values_invalid'
		| 'encoding_unsupported'
		| 'field_invalid'
		| 'token_missing'
		| 'token_malformed'
		| 'token_unknown'
		| 'token_expired'
		| 'signature_invalid'
		| 'signature_not_accepted'
		| 'credentials_invalid'
		| 'logins_excessive'
		| 'credentials_excessive'
		| 'access_token_required'
		| 'rate_limit_exceeded'
		| 'role_insufficient'
		| 'dimension_unknown'
		| 'metric_unknown'
		| 'operator_unknown'
		| 'expressions_missing'
		| 'date_range_inverted'
		| 'steps_missing'
		| 'steps_excessive'
		| 'route_not_found'
		| 'method_not_allowed'
		| 'records_excessive'
		| 'not_yet_queryable'
		| 'community_not_found'
		| 'organisation_not_found'
		| 'datamart_not_found'
		| 'compartment_not_found'
		| 'compartment_unknown'
		| 'channel_not_found'
		| 'user_not_found'
		| 'api_token_not_found'
		| 'signing_key_not_found'
		| 'key_id_taken'
		| 'user_role_not_found'
		| 'administrator_last'
		| 'user_point_not_found'
		| 'user_segment_not_found'
		| 'data_file_not_found'
		| 'data_file_reserved'
		| 'asset_not_found'
		| 'segment_builder_not_found'
		| 'segment_builders_excessive'
		| 'folders_excessive'
		| 'plugin_layout_not_found'
		| 'plugin_layout_missing'
		| 'plugin_translation_not_found'
		| 'plugin_version_archived'
		| 'preset_not_found'
		| 'preset_archived'
		| 'document_import_not_found'
		| 'document_import_busy'
		| 'deletion_receipt_missing'
		| 'job_execution_not_found'
		| 'datamart_schema_not_found'
		| 'audience_feature_not_found'
		| 'audience_feature_folder_not_found'
		| 'job_execution_ended'
		| 'dead_letter_not_found'
		| 'dead_letter_replayed'
		| 'dead_letter_not_replayable'
		| 'market_unknown'
		| 'plugin_not_found'
		| 'plugin_taken'
		| 'plugin_version_not_found'
		| 'version_id_taken'
		| 'plugin_property_not_found'
		| 'plugin_property_fixed'
		| 'plugin_worker_not_found'
		| 'configuration_file_not_found'
		| 'configuration_files_excessive'
		| 'plugin_instance_not_found'
		| 'plugin_instance_in_use'
		| 'email_template_not_found'
		| 'email_template_archived'
		| 'channel_link_not_found'
		| 'channel_links_excessive'
		| 'identifier_refused'
		| 'timestamp_out_of_range'
		| 'groups_excessive'
		| 'query_timed_out'
		| 'query_cancelled'
		| 'query_not_found'
		| 'queries_excessive'
		| 'query_memory_exceeded'
		| 'query_failed'
		| 'store_unavailable'
		| 'journal_full'
		| 'analyzers_behind'
		| 'plugin_worker_failed'
		| 'activity_trace_not_found'
		| 'shutting_down'
		| 'internal_error';
	error_id: string;
	errors?: {
		pointer: string;
		message: string;
	}[];
}
