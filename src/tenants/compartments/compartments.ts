import type {TenantContext} from '../context.ts';
import type {Compartment} from '../tenants.ts';
import type {CompartmentRequest} from './compartments.schema.ts';

/** Known to this instance's hot path once it resolves: activities may name it at once. */
export async function createCompartment(
	{directory, compartments}: Pick<TenantContext, 'directory' | 'compartments'>,
	datamartId: number,
	request: CompartmentRequest,
): Promise<Compartment> {
	const compartment = await compartments.create({...request, datamartId});
	await directory.refresh();
	return compartment;
}
