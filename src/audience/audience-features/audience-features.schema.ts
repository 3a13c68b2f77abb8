import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';
import {absentWhenNull, IdField, NameField, TokenField} from '../../tenants/fields.schema.ts';
import type {AudienceFeature} from './audience-features.ts';

const Variable = z
	.looseObject({
		field_name: z.string().min(1).max(255),
		parameter_name: z.string().min(1).max(255),
		path: z.array(z.string().min(1).max(255)).min(1).max(20),
		type: z.string().max(100).default('String'),
	})
	.transform(({field_name: fieldName, parameter_name: parameterName, path, type}) => ({
		fieldName,
		parameterName,
		path,
		type,
	}));

/** Body of POST and PUT (field guide, "Reference tables / final values"). */
export const AudienceFeatureRequest = z
	.object({
		name: NameField,
		description: z.string().max(10_000).nullish(),
		token: absentWhenNull(TokenField),
		addressable_object: z.string().max(255).default('UserPoint'),
		object_tree_expression: z.string().max(100_000).default(''),
		folder_id: absentWhenNull(IdField),
		variables: z.array(Variable).max(100).nullish(),
	})
	.transform(body => ({
		name: body.name,
		description: body.description ?? null,
		token: body.token,
		addressableObject: body.addressable_object,
		objectTreeExpression: body.object_tree_expression,
		folderId: body.folder_id ?? null,
		variables: body.variables ?? undefined,
	}));
export type AudienceFeatureRequest = z.output<typeof AudienceFeatureRequest>;

const Filters = {keywords: z.string().max(1000).optional(), folder_id: IdField.optional()};

export const AudienceFeaturesQuery = z.looseObject({...PagingQuery.shape, ...Filters});

/** `values` once for each, or joined by commas. */
export const FeatureSearchQuery = z.looseObject({
	...PagingQuery.shape,
	...Filters,
	values: z
		.union([z.string(), z.array(z.string())])
		.default([])
		.transform(values => [values].flat().flatMap(each => [each, ...each.split(',')]))
		.transform(values => [...new Set(values.map(value => value.trim()).filter(Boolean))]),
});

export const AudienceFeatureAnswer = z.object({
	id: z.string(),
	name: z.string(),
	datamart_id: z.string(),
	description: z.string().nullable(),
	token: z.string(),
	addressable_object: z.string(),
	object_tree_expression: z.string(),
	folder_id: z.string().nullable(),
	creation_date: z.number(),
	variables: z.array(
		z.object({
			field_name: z.string(),
			parameter_name: z.string(),
			path: z.array(z.string()),
			type: z.string(),
			values: z.array(z.string()).optional(),
		}),
	),
});

export const FeatureSearchAnswer = z.object({
	data: z.object({
		elements: z.array(AudienceFeatureAnswer),
		limit: z.number(),
		offset: z.number(),
		total_results: z.number(),
	}),
	infos: z.array(z.object({info_name: z.string(), info_value: z.string()})),
});

export function audienceFeatureToWire(feature: AudienceFeature): z.input<typeof AudienceFeatureAnswer> {
	return {
		id: String(feature.id),
		name: feature.name,
		datamart_id: String(feature.datamartId),
		description: feature.description,
		token: feature.token,
		addressable_object: feature.addressableObject,
		object_tree_expression: feature.objectTreeExpression,
		folder_id: feature.folderId === null ? null : String(feature.folderId),
		creation_date: feature.creationTs,
		variables: feature.variables.map(({fieldName, parameterName, path, type, values}) => ({
			field_name: fieldName,
			parameter_name: parameterName,
			path: [...path],
			type,
			...(values && {values: [...values]}),
		})),
	};
}
