import type {Footprint} from '../warehouse/warehouse.ts';
import type {Dimension} from './dimensions.ts';
import type {QueryScope} from './plan.ts';

/** Whatever time an activity is of. */
const ALL_TIME = {fromMs: 0, untilMs: 2 ** 42};

/**
 * Which facts an answer about these dimensions depends on: those of the period, or all where events of an activity are
 * counted wherever they lie. Undefined where it depends on more: memberships of segments begin and end by themselves.
 */
export function footprintOf(scope: QueryScope, dimensions: readonly Dimension[]): Footprint | undefined {
	if (dimensions.some(({kind}) => kind === 'segment')) return undefined;
	const isAnywhere = dimensions.some(({kind}) => kind === 'counted');
	return {datamartId: scope.datamartId, ...(isAnywhere ? ALL_TIME : scope.range)};
}
