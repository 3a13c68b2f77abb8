import {
	applyMemberships,
	type ManyMembershipsServices,
} from '../../audience/user-segments/many-memberships.ts';
import {canonical, type Identifier} from '../../ingestion/user-points/identifiers.ts';
import type {LineFault} from '../job-executions/job-executions.ts';
import {type ImportKind, importKind} from './import-job.ts';

interface FindsMany {
	findMany(
		datamartId: number,
		identifiers: readonly Identifier[],
	): Promise<ReadonlyMap<string, {readonly userPointId: number}>>;
}

export interface SegmentImportServices extends ManyMembershipsServices {
	readonly userPoints: ManyMembershipsServices['userPoints'] & FindsMany;
	/** Everything accepted here until now is with its user point. */
	readonly whenStored: () => Promise<void>;
}

/** People enter and leave segments. What is written twice comes to the same: the last word on a membership holds. */
export function segmentImport(services: SegmentImportServices): ImportKind<unknown> {
	const {userPoints, whenStored} = services;
	return importKind<null>({
		reader: 'SEGMENT',

		async begin() {
			await whenStored();
			return null;
		},

		async apply({lines}, state, {datamart}, note) {
			const known = await userPoints.findMany(
				datamart.id,
				lines.map(({segment}) => segment!.identifier),
			);
			const faults: LineFault[] = [];
			const commands = lines.flatMap(({line, segment}) => {
				const found = known.get(canonical(segment!.identifier));
				if (found) return {...segment!, userPointId: found.userPointId};
				faults.push({line, pointer: '', message: 'its identifier is nobody’s'});
				return [];
			});
			if (commands.length > 0) await applyMemberships(services, datamart, commands);
			await note({state, faults});
		},

		finish: async () => undefined,
	});
}
