import {invalidField} from '../../errors.ts';
import type {Page, Paging} from '../../lib/page.ts';
import type {Database} from '../../postgres/database.ts';
import {violatedConstraint, violatedReference} from '../../postgres/errors.ts';
import {containing, selectPage} from '../../postgres/page.ts';
import type {AudienceFeature, FeatureVariable, NewAudienceFeature} from './audience-features.ts';

export interface FeatureQuery {
	readonly datamartId: number;
	readonly keywords?: string | undefined;
	readonly folderId?: number | undefined;
	/** Those with a variable on one of these dotted paths. */
	readonly paths?: readonly string[];
}

export interface AudienceFeatureStore {
	/** Throws `field_invalid` naming `/token` when it is taken, `/folder_id` when it is no folder of the datamart. */
	create(feature: NewAudienceFeature): Promise<AudienceFeature>;
	find(datamartId: number, id: number): Promise<AudienceFeature | undefined>;
	list(query: FeatureQuery, paging: Paging): Promise<Page<AudienceFeature>>;
	/** Undefined where there is none. Throws as `create`. */
	update(id: number, feature: NewAudienceFeature): Promise<AudienceFeature | undefined>;
	/** Whether there was one. */
	remove(datamartId: number, id: number): Promise<boolean>;
}

interface Row {
	id: number;
	datamart_id: number;
	name: string;
	description: string | null;
	token: string;
	addressable_object: string;
	object_tree_expression: string;
	folder_id: number | null;
	variables: FeatureVariable[];
	creation_ts: number;
}

function fromRow(row: Row): AudienceFeature {
	return {
		id: row.id,
		datamartId: row.datamart_id,
		name: row.name,
		description: row.description,
		token: row.token,
		addressableObject: row.addressable_object,
		objectTreeExpression: row.object_tree_expression,
		folderId: row.folder_id,
		variables: row.variables,
		creationTs: row.creation_ts,
	};
}

function toRow(feature: NewAudienceFeature) {
	return {
		datamart_id: feature.datamartId,
		name: feature.name,
		description: feature.description,
		token: feature.token,
		addressable_object: feature.addressableObject,
		object_tree_expression: feature.objectTreeExpression,
		folder_id: feature.folderId,
		variables: JSON.stringify(feature.variables),
	};
}

async function naming<T>(work: Promise<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		if (violatedReference(error) === 'audience_features_folder') {
			throw invalidField('/folder_id', 'is no folder of the datamart');
		}
		if (violatedConstraint(error) !== 'audience_features_token') throw error;
		throw invalidField('/token', 'is taken by another audience feature');
	}
}

export function audienceFeatureStore(database: Database): AudienceFeatureStore {
	return {
		async create(feature) {
			const [row] = await naming(
				database.run(sql =>
					sql('audience_features')
						.insert({...toRow(feature), creation_ts: Date.now()})
						.returning('*'),
				),
			);
			return fromRow(row);
		},
		async find(datamartId, id) {
			const row: Row | undefined = await database.run(sql =>
				sql('audience_features').where({datamart_id: datamartId, id}).first(),
			);
			return row && fromRow(row);
		},
		list: ({datamartId, keywords, folderId, paths}, paging) =>
			database.run(sql => {
				const query = sql('audience_features').where('datamart_id', datamartId).select('*');
				containing(query, 'name', keywords);
				if (folderId !== undefined) query.where('folder_id', folderId);
				if (paths) {
					query.whereRaw(
						`exists (
							select from jsonb_array_elements(variables) as variable
							where array_to_string(array(select jsonb_array_elements_text(variable -> 'path')), '.') = any(?)
						)`,
						[[...paths]],
					);
				}
				return selectPage(query, 'id', paging, fromRow);
			}),
		async update(id, feature) {
			const [row] = await naming(
				database.run(sql =>
					sql('audience_features')
						.where({id, datamart_id: feature.datamartId})
						.update(toRow(feature))
						.returning('*'),
				),
			);
			return row && fromRow(row);
		},
		async remove(datamartId, id) {
			const removed = await database.run(sql =>
				sql('audience_features').where({datamart_id: datamartId, id}).delete(),
			);
			return removed > 0;
		},
	};
}
