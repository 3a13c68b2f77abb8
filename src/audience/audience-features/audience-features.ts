import {notFound} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import {randomToken} from '../../lib/tokens.ts';
import type {Datamart} from '../../tenants/directory.ts';
import {type FinalValuesContext, fieldsWith} from '../final-values/final-values.ts';
import type {AudienceFeatureRequest} from './audience-features.schema.ts';
import type {AudienceFeatureStore} from './audience-features.store.ts';

/** A question about people with places for values. Instants are epoch ms. */
export interface AudienceFeature {
	readonly id: number;
	readonly datamartId: number;
	readonly name: string;
	readonly description: string | null;
	readonly token: string;
	/** Whom it asks about: `UserPoint`. */
	readonly addressableObject: string;
	/** As clients write it, e.g. `profiles {country == $country}`. */
	readonly objectTreeExpression: string;
	readonly folderId: number | null;
	readonly variables: readonly FeatureVariable[];
	readonly creationTs: number;
}

/** A place for values. */
export interface FeatureVariable {
	readonly fieldName: string;
	readonly parameterName: string;
	/** Levels of the datamart's schema, the field's own name last. */
	readonly path: readonly string[];
	readonly type: string;
	/** In a search: the values that were asked for and that the field has. */
	readonly values?: readonly string[];
}

export type NewAudienceFeature = Omit<AudienceFeature, 'id' | 'creationTs'>;

/** What was asked for reached this many values: there may be more. */
export const MAX_VALUES = 500;

/** Errors: `audience_feature_not_found`, another datamart's among them. */
export async function getFeature(
	store: AudienceFeatureStore,
	datamart: Datamart,
	id: number | undefined,
): Promise<AudienceFeature> {
	const feature = id === undefined ? undefined : await store.find(datamart.id, id);
	if (!feature) throw notFound('audience_feature_not_found');
	return feature;
}

/**
 * What is stored of a request: its variables are read out of the expression where none are given, and it keeps its token
 * or gets a random one.
 */
export function featureOf(
	datamart: Datamart,
	{variables, token, ...request}: AudienceFeatureRequest,
	present?: AudienceFeature,
): NewAudienceFeature {
	return {
		...request,
		token: token ?? present?.token ?? randomToken(),
		datamartId: datamart.id,
		variables: variables ?? variablesOf(request.objectTreeExpression),
	};
}

const TOKEN = /"(?:[^"\\]|\\.)*"|\$[A-Za-z_]\w*|[A-Za-z_]\w*|[{}]|[^\s\w{}"$]+|\d+/g;

/** Places for values in an expression: a field, whatever compares it, and a name with `$`, within the braces around it. */
export function variablesOf(expression: string): FeatureVariable[] {
	const path: string[] = [];
	const variables: FeatureVariable[] = [];
	let field = '';
	for (const [token] of expression.matchAll(TOKEN)) {
		if (token === '{') path.push(field);
		else if (token === '}') path.pop();
		else if (token.startsWith('$')) {
			const parameterName = token.slice(1);
			variables.push({fieldName: field, parameterName, path: [...path, field], type: 'String'});
		} else if (/^[A-Za-z_]/.test(token) && !/^(?:and|or|not|in|match|where)$/i.test(token)) field = token;
	}
	return variables;
}

export interface FeatureSearch {
	/** Final values, whatever their case; none: features are not asked for values. */
	readonly values: readonly string[];
	readonly keywords: string | undefined;
	readonly folderId: number | undefined;
}

export interface FoundFeatures extends Page<AudienceFeature> {
	/** Whether as many values matched as are looked at. */
	readonly isFull: boolean;
}

/** Features by name and folder, and by the final values their fields have: those carry the values they were found by. */
export async function searchFeatures(
	context: FinalValuesContext & {readonly features: AudienceFeatureStore},
	datamart: Datamart,
	{values, keywords, folderId}: FeatureSearch,
	paging: Paging,
): Promise<FoundFeatures> {
	const {features} = context;
	const asked = {datamartId: datamart.id, keywords, folderId};
	if (values.length === 0) return {...(await features.list(asked, paging)), isFull: false};
	const fields = await fieldsWith(context, datamart, values);
	const page = await features.list({...asked, paths: [...fields.keys()]}, paging);
	const matched = new Set([...fields.values()].flat());
	return {
		total: page.total,
		items: page.items.map(feature => ({
			...feature,
			variables: feature.variables.map(variable => {
				const found = fields.get(variable.path.join('.'));
				return found ? {...variable, values: found} : variable;
			}),
		})),
		isFull: matched.size >= MAX_VALUES,
	};
}
