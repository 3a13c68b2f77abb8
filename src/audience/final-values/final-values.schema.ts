import {z} from 'zod';
import {PagingQuery} from '../../http/paging.ts';

/** Up to 500 values unless fewer are asked for: what a search box shows. */
export const ValuesQuery = z.looseObject({
	...PagingQuery.shape,
	max_results: PagingQuery.shape.max_results.removeDefault().default(500),
	keywords: z.string().max(1000).default(''),
});

export const ValuesAnswer = z.object({values: z.array(z.string())});

export const FieldValuesQuery = z.looseObject({
	...PagingQuery.shape,
	keywords: z.string().max(1000).default(''),
});

export const FieldValueAnswer = z.object({value: z.string(), display_value: z.string()});
