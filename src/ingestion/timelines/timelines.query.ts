import {z} from 'zod';
import {defineQuery} from '../../warehouse/define-query.ts';

const Timeline = z.object({datamartId: z.number(), userPointIds: z.array(z.number())});

/** One page of a user point's activities, newest first, as they are kept (identifiers are references). */
export const timelineActivities = defineQuery({
	name: 'timelines.activities',
	lane: 'light',
	sql: 'timelines/activities.sql',
	params: Timeline.extend({firstResult: z.number(), maxResults: z.number()}),
	row: z.object({activity: z.string()}),
});

/** How many activities a user point has. */
export const timelineCount = defineQuery({
	name: 'timelines.count',
	lane: 'light',
	sql: 'timelines/count.sql',
	params: Timeline,
	row: z.object({total: z.coerce.number()}),
});

/** When each identifier of a user point was last in an activity, ms; those that never were are missing. */
export const lastActivities = defineQuery({
	name: 'timelines.lastActivities',
	lane: 'light',
	sql: 'timelines/last-activities.sql',
	params: Timeline,
	row: z.object({identifier_id: z.coerce.number(), last_ms: z.coerce.number()}),
});
