import {z} from 'zod';
import {DomainError} from '../errors.ts';
import type {Answer} from './warehouse.ts';

const Count = z.coerce.number();

/** ClickHouse's format JSON, as far as we look: `rows` and what follows `data` are written when all of it is through. */
const JsonAnswer = z.object({
	data: z.array(z.unknown()),
	rows: Count,
	exception: z.undefined().optional(),
	statistics: z.object({rows_read: Count, bytes_read: Count, elapsed: Count}),
});

/**
 * An answer that has its end: one that was cut short, by whatever, or that tells of an error behind its rows, is an error
 * and no table. Throws `query_failed`.
 */
export function wholeAnswer(name: string, text: string): Pick<Answer, 'data' | 'statistics'> {
	let parsed: unknown;
	try {
		parsed = JSON.parse(text);
	} catch {
		throw new DomainError('query_failed', `${name} was answered in part`);
	}
	const {data: whole} = JsonAnswer.safeParse(parsed);
	if (!whole || whole.rows !== whole.data.length) {
		throw new DomainError('query_failed', `${name} was answered in part`);
	}
	const {rows_read, bytes_read, elapsed} = whole.statistics;
	return {
		data: whole.data,
		statistics: {rowsRead: rows_read, bytesRead: bytes_read, elapsedMs: elapsed * 1000},
	};
}
