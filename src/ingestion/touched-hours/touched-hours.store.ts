import type {Database} from '../../postgres/database.ts';
import {
	ANY_HOUR,
	hoursOf,
	MERGES,
	type Stretch,
	type TellTouched,
	type TouchedHours,
} from './touched-hours.ts';

/** Told by one instance. */
export function touchedHoursStore(database: Database, instance: number): TellTouched {
	/** What a process before this one began and did not end is ended with the batch in doubt. */
	let begun = true;
	const tell = async (touched: readonly {datamartId: number; hour: number}[]) => {
		begun = true;
		await database.run(sql =>
			sql.raw(
				`INSERT INTO touched_hours (datamart_id, hour, instance, version, writing)
				SELECT d, h, ?::integer, 1, true FROM unnest(?::integer[], ?::integer[]) AS t (d, h)
				ON CONFLICT (datamart_id, hour, instance)
				DO UPDATE SET version = touched_hours.version + 1, writing = true`,
				[instance, touched.map(({datamartId}) => datamartId), touched.map(({hour}) => hour)],
			),
		);
	};
	return {
		async begin(touched: TouchedHours) {
			const list = touched.list();
			if (list.length > 0) await tell(list);
		},
		beginMerges: () => tell([{datamartId: MERGES, hour: ANY_HOUR}]),
		async end() {
			if (!begun) return;
			await database.run(sql =>
				sql('touched_hours').where({instance, writing: true}).update({writing: false}),
			);
			begun = false;
		},
	};
}

/**
 * The state of a stretch and of all merges, as told by all instances: `merges-facts`, numbers that only grow. Undefined
 * while anything of them is being written.
 */
export async function versionOfStretch(database: Database, stretch: Stretch): Promise<string | undefined> {
	const {first, last} = hoursOf(stretch);
	const {rows} = await database.run(sql =>
		sql.raw(
			`SELECT coalesce(sum(version) FILTER (WHERE datamart_id = ?), 0)::bigint AS merges,
				coalesce(sum(version) FILTER (WHERE datamart_id <> ?), 0)::bigint AS facts,
				coalesce(bool_or(writing), false) AS writing
			FROM (
				SELECT datamart_id, version, writing FROM touched_hours
				WHERE datamart_id = ? AND hour BETWEEN ? AND ?
				UNION ALL
				SELECT datamart_id, version, writing FROM touched_hours
				WHERE datamart_id IN (?, ?) AND hour = ?
			) AS told`,
			[MERGES, MERGES, stretch.datamartId, first, last, MERGES, stretch.datamartId, ANY_HOUR],
		),
	);
	const {merges, facts, writing} = rows[0];
	return writing ? undefined : `${merges}-${facts}`;
}
