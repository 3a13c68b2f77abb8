import type {Dimension} from '../../query/dimensions.ts';
import type {Bindings} from '../../query/fragment.ts';
import {type QueryScope, userPointColumn} from '../../query/plan.ts';
import {countedColumn} from '../../query/values.ts';

/** The segments a row's user point is in, where they are joined: [] for none. */
export const SEGMENTS_OF_ROW = 'joined_segment_ids';

/** What the dimensions at hand need beside the columns of `fact_rows_v1`. */
export function joinsFor(dimensions: readonly Dimension[], scope: QueryScope, bindings: Bindings): string {
	const counted = [...new Set(dimensions.filter(({kind}) => kind === 'counted'))];
	const joins: string[] = [];
	if (counted.length > 0) joins.push(countsOfActivities(counted));
	if (dimensions.some(({kind}) => kind === 'segment')) joins.push(segmentsNow(scope, bindings));
	return joins.join('\n        ');
}

/** Over all rows of each activity that has one in the period, wherever the others lie. */
function countsOfActivities(counted: readonly Dimension[]): string {
	const counts = counted.map(each => `countIf(${each.sql}) AS ${countedColumn(each)}`);
	return `LEFT JOIN (
            SELECT instance AS counted_instance, arrival AS counted_arrival, ${counts.join(', ')}
            FROM fact_rows_v1
            WHERE datamart_id = {datamart_id:UInt32} AND (instance, arrival) IN (
                SELECT instance, arrival FROM fact_rows_v1
                WHERE datamart_id = {datamart_id:UInt32}
                  AND position >= {from_position:UInt64} AND position < {until_position:UInt64}
            )
            GROUP BY instance, arrival
        ) AS counted ON instance = counted_instance AND arrival = counted_arrival`;
}

function segmentsNow(scope: QueryScope, bindings: Bindings): string {
	return `LEFT JOIN (
            SELECT ${userPointColumn(scope, 'user_segments_v1.user_point_id')} AS joined_user_point, groupUniqArray(segment_id) AS ${SEGMENTS_OF_ROW}
            FROM user_segments_v1 FINAL
            WHERE datamart_id = {datamart_id:UInt32} AND expires_ms > ${bindings.bind('UInt64', scope.nowMs)}
            GROUP BY joined_user_point
        ) AS joined_segments ON ${userPointColumn(scope)} = joined_user_point`;
}
