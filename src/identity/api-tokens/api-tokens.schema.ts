import {z} from 'zod';
import {absentWhenNull, NameField} from '../../tenants/fields.schema.ts';
import {MAX_LIFETIME_MONTHS} from '../lifetimes.ts';
import type {ApiToken} from './api-tokens.ts';

/** Body of POST: all of it may be absent. `expiration_date` in epoch ms, or `lifetime_months`; 12 months otherwise. */
export const ApiTokenRequest = z
	.object({
		name: absentWhenNull(NameField),
		expiration_date: absentWhenNull(z.number().int().positive()),
		lifetime_months: absentWhenNull(z.number().int().min(1).max(MAX_LIFETIME_MONTHS)),
	})
	.refine(body => body.expiration_date === undefined || body.lifetime_months === undefined, {
		path: ['lifetime_months'],
		error: 'and expiration_date say the same thing: send one of them',
	})
	.transform(body => ({
		name: body.name,
		expirationDate: body.expiration_date,
		lifetimeMonths: body.lifetime_months,
	}));
export type ApiTokenRequest = z.output<typeof ApiTokenRequest>;

/** Body of PUT: a token's name is all that can change. */
export const ApiTokenChangeRequest = z.object({name: NameField});

export const ApiTokenOnWire = z.object({
	id: z.string(),
	name: z.string().optional(),
	creation_date: z.number(),
	expiration_date: z.number(),
	last_use_date: z.number().nullable(),
	value: z.string(),
});

export function apiTokenToWire(token: ApiToken): z.output<typeof ApiTokenOnWire> {
	return {
		id: String(token.id),
		...(token.name === null ? {} : {name: token.name}),
		creation_date: token.creationTs,
		expiration_date: token.expirationTs,
		last_use_date: token.lastUseTs,
		value: token.value,
	};
}
