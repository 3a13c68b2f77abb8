import type {Page, Paging} from '../../lib/page.ts';
import type {Datamart} from '../../tenants/directory.ts';
import type {ReadOptions, Warehouse} from '../../warehouse/warehouse.ts';
import {pathsOf, readSchema} from '../datamart-schemas/datamart-schemas.ts';
import {folded} from './csv-lines.ts';
import {fieldsWithValues, finalValuePaths, searchFinalValues} from './final-values.query.ts';
import type {FinalValueVersionStore} from './final-values.store.ts';

export interface FinalValuesContext {
	readonly warehouse: Warehouse;
	readonly versions: FinalValueVersionStore;
	readonly read?: ReadOptions | undefined;
}

/** Values that contain the text, ignoring case, each once however many fields have it; in alphabetical order. */
export async function searchValues(
	context: FinalValuesContext,
	datamart: Datamart,
	keywords: string,
	paging: Paging,
): Promise<Page<string>> {
	const executionId = await context.versions.current(datamart.id);
	if (executionId === undefined) return {items: [], total: 0};
	return search(context, {datamartId: datamart.id, executionId, path: '', keywords}, paging);
}

/**
 * Values of one field: `profiles.country`, or `UserProfile.country` by its type in the schema's text. Several fields of
 * such a type are told one behind the other.
 */
export async function valuesOfField(
	context: FinalValuesContext,
	datamart: Datamart,
	{field, schemaText, keywords}: {field: string; schemaText: string; keywords: string},
	{firstResult, maxResults}: Paging,
): Promise<Page<string>> {
	const executionId = await context.versions.current(datamart.id);
	if (executionId === undefined) return {items: [], total: 0};
	const asked = {datamartId: datamart.id, executionId};
	const {rows} = await context.warehouse.read(finalValuePaths, asked, context.read);
	const known = rows.map(({path}) => path);
	const paths = pathsOf(field, readSchema(schemaText), known).filter(path => known.includes(path));
	const items: string[] = [];
	let total = 0;
	for (const path of paths) {
		const paging = {firstResult: Math.max(0, firstResult - total), maxResults: maxResults - items.length};
		const page = await search(context, {...asked, path, keywords}, paging);
		items.push(...page.items);
		total += page.total;
	}
	return {items: items.slice(0, maxResults), total};
}

/** Fields, by their dotted path, that have any of these values in whatever case, with the values they have. */
export async function fieldsWith(
	{warehouse, versions, read}: FinalValuesContext,
	datamart: Datamart,
	values: readonly string[],
): Promise<Map<string, readonly string[]>> {
	const executionId = await versions.current(datamart.id);
	if (executionId === undefined) return new Map();
	const asked = {datamartId: datamart.id, executionId, values: values.map(folded)};
	const {rows} = await warehouse.read(fieldsWithValues, asked, read);
	return new Map(rows.map(({path, found}) => [path, found]));
}

async function search(
	{warehouse, read}: FinalValuesContext,
	asked: {datamartId: number; executionId: number; path: string; keywords: string},
	{firstResult, maxResults}: Paging,
): Promise<Page<string>> {
	const question = {...asked, keywords: folded(asked.keywords)};
	const {rows} = await warehouse.read(
		searchFinalValues,
		{...question, firstResult, maxResults: Math.max(1, maxResults)},
		read,
	);
	const items = rows.map(({value}) => value);
	if (rows.length > 0 || firstResult === 0) return {items, total: rows[0]?.total ?? 0};
	// Behind the end: the length is told by the first row.
	const first = await warehouse.read(searchFinalValues, {...question, firstResult: 0, maxResults: 1}, read);
	return {items, total: first.rows[0]?.total ?? 0};
}
