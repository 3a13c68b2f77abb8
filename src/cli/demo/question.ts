const DAY_MS = 86_400_000;

const STEPS = [
	['Saw a list of items', '$item_list_view'],
	['Looked at an item', '$item_view'],
	['Opened the basket', '$basket_view'],
	['Bought', '$transaction_confirmed'],
] as const;

/** The demo's question as the wire wants it: four steps over the last `days` days and today; `end_date` is exclusive. */
export function demoQuestion(nowMs: number, days: number) {
	const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
	return {
		for: STEPS.map(([name, event]) => ({
			name,
			filter_clause: {
				operator: 'AND',
				filters: [{dimension_name: 'EVENT_TYPE', operator: 'EXACT', expressions: [event]}],
			},
		})),
		in: {type: 'DATES' as const, start_date: day(nowMs - days * DAY_MS), end_date: day(nowMs + DAY_MS)},
	};
}
