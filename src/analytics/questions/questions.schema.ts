import {z} from 'zod';
import type {AskedQuestion} from './asked.ts';

/** A query that runs or waits, as on the wire; ids are strings, instants epoch ms. */
export const QueryWire = z.object({
	id: z.string(),
	/** Of the statement that began last. */
	name: z.string(),
	status: z.enum(['PENDING', 'RUNNING']),
	/** Who asked; null: a plugin worker. */
	user_id: z.string().nullable(),
	organisation_id: z.string(),
	/** Null: a question over no datamart in particular. */
	datamart_id: z.string().nullable(),
	creation_ts: z.number().int(),
});

/** A cancelled one leaves nothing to tell. */
export const CancelledWire = z.object({});

export function queryToWire(question: AskedQuestion): z.output<typeof QueryWire> {
	const {principal, datamart} = question.asker;
	return {
		id: question.id,
		name: question.name,
		status: question.isWaiting ? 'PENDING' : 'RUNNING',
		user_id: principal.kind === 'user' ? String(principal.userId) : null,
		organisation_id: String(question.organisationId),
		datamart_id: datamart ? String(datamart.id) : null,
		creation_ts: question.startedMs,
	};
}
