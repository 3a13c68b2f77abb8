import {DomainError} from '../../errors.ts';
import type {Warehouse, WarehouseQuery} from '../../warehouse/warehouse.ts';

const DEADLINE_MS = 2_000;

/**
 * What makes a question cheaper and its answer no other: not worth waiting for. Undefined where the engine does not
 * tell it.
 */
export async function hintsOf<Input, Row>(
	warehouse: Warehouse,
	query: WarehouseQuery<Input, Row>,
	input: Input,
): Promise<readonly Row[] | undefined> {
	try {
		return (await warehouse.read(query, input, {deadlineMs: DEADLINE_MS})).rows;
	} catch (thrown) {
		if (thrown instanceof DomainError) return undefined;
		throw thrown;
	}
}
