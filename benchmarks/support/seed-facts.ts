import type {Warehouse} from '../../src/warehouse/warehouse.ts';

/** The seeded period: 45 days over two months, in the benchmark's datamart. */
export const SEEDED = {
	datamartId: 1,
	firstDay: '2026-09-08',
	endDay: '2026-10-23',
	fromMs: Date.UTC(2026, 8, 8),
	days: 45,
} as const;

/** Parts in each of the two monthly partitions: `windowFunnel` gains from a single sorted part, live tables have several. */
const PARTS_A_MONTH = 4;

/**
 * Facts of `activities` activities, generated inside the engine, the same every time: one or two events each (1.25 on
 * average), user points as many as 9.5 % of the activities and some much busier than others, money and units on
 * purchases only. Left in 8 parts, merges stopped.
 */
export async function seedFacts(warehouse: Warehouse, activities: number): Promise<void> {
	await warehouse.command('SYSTEM STOP MERGES fact_rows_v1');
	const share = Math.floor(activities / PARTS_A_MONTH);
	for (let part = 0; part < PARTS_A_MONTH; part++) {
		await warehouse.command(insertFrom(part * share, share, Math.round(activities * 0.095)));
	}
}

function insertFrom(first: number, count: number, userPoints: number): string {
	return `
INSERT INTO fact_rows_v1 (datamart_id, user_point_id, position, instance, arrival, received_ms, event_index, batch_id,
    type, session_status, event_type, channel_id, origin_source, origin_channel, origin_campaign_id,
    device_form_factor, device_os_family, device_browser_family, has_conversion, has_clicked, has_bounced,
    brand, category1, product_id, session_duration, money, units)
SELECT ${SEEDED.datamartId}, user_point_id, bitShiftLeft(ms, 22) + bitAnd(number * 2 + event, 4194303), 1, number, ms, event, ${first},
    if(h % 10 < 7, 'SITE_VISIT', 'APP_VISIT'), 'CLOSED_SESSION',
    multiIf(e < 40, '$page_view', e < 65, '$item_view', e < 82, '$item_list_view', e < 90, '$basket_view', e < 97, '$home_view', '$transaction_confirmed'),
    toString(h % 5),
    ['google', '', 'newsletter', 'partner'][h % 4 + 1], ['cpc', '', 'email', 'affiliate'][h % 4 + 1], if(h % 4 = 0, toString(h % 97), ''),
    ['SMARTPHONE', 'PERSONAL_COMPUTER', 'TABLET'][h % 3 + 1], ['ANDROID', 'IOS', 'WINDOWS', 'MAC_OS'][h % 4 + 1], ['CHROME', 'SAFARI', 'FIREFOX'][h % 3 + 1],
    if(e >= 97, '1', '0'), '0', '0',
    if(product > 0, [concat('brand', toString(product % 50))], []), if(product > 0, [concat('category', toString(product % 12))], []), if(product > 0, [toString(product)], []),
    -1, if(e >= 97, (500 + h % 30000) * 100, 0), if(e >= 97, (1 + h % 4) * 10000, 0)
FROM (
    SELECT number, arrayJoin(range(1 + (cityHash64(number, 9) % 4 = 0))) AS event,
        cityHash64(number, event) AS h, cityHash64(number, event, 3) % 100 AS e,
        toUInt64(1 + floor(${userPoints} * pow((cityHash64(number, 1) % 1000003) / 1000003, 1.6))) AS user_point_id,
        toUInt64(${SEEDED.fromMs} + floor(${SEEDED.days * 86_400_000 - 60_000} * ((cityHash64(number, 2) % 1000033) / 1000033)) + event * 1000) AS ms,
        if(e >= 40 AND e < 90, 1 + h % 5000, 0) AS product
    FROM numbers(${first}, ${count})
)
SETTINGS max_insert_threads = 1, max_threads = 2, min_insert_block_size_rows = 100000000, min_insert_block_size_bytes = 0`;
}
