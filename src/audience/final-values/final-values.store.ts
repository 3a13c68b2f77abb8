import type {Database} from '../../postgres/database.ts';

/** Which import of final values holds in a datamart. */
export interface FinalValueVersionStore {
	/** The execution whose values are searched; undefined before the first. */
	current(datamartId: number): Promise<number | undefined>;
	/** From now on that one's. */
	switchTo(datamartId: number, executionId: number): Promise<void>;
}

export function finalValueVersionStore(database: Database): FinalValueVersionStore {
	return {
		async current(datamartId) {
			const row = await database.run(sql =>
				sql('final_value_versions').where('datamart_id', datamartId).first('execution_id'),
			);
			return row?.execution_id;
		},
		async switchTo(datamartId, executionId) {
			await database.run(sql =>
				sql('final_value_versions')
					.insert({datamart_id: datamartId, execution_id: executionId})
					.onConflict('datamart_id')
					.merge(),
			);
		},
	};
}
