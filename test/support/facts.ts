import type {Warehouse} from '../../src/warehouse/warehouse.ts';

/** A fact as a test speaks of it: what is not said is absent. */
export interface Fact {
	readonly userPoint: number;
	/** Epoch ms. */
	readonly ts: number;
	/** Order among facts of one ms; default the place in the list. */
	readonly tie?: number;
	/** By dimension name, upper case; several values only where the dimension takes several. */
	readonly dimensions?: Readonly<Record<string, readonly string[]>>;
	/** Integers of 1/10,000. */
	readonly money?: number;
	readonly units?: number;
	/** Of the activity, the same on all its facts; default the place in the list: each fact an activity of its own. */
	readonly arrival?: number;
	/** Of the writing instance; default 0. */
	readonly batch?: number;
	/** Seconds, of the activity. */
	readonly sessionDuration?: number;
}

const SINGLE = [
	'TYPE',
	'EVENT_TYPE',
	'CHANNEL_ID',
	'ORIGIN_SOURCE',
	'ORIGIN_CHANNEL',
	'ORIGIN_CAMPAIGN_ID',
	'ORIGIN_SUB_CAMPAIGN_ID',
	'ORIGIN_CREATIVE_ID',
	'CAMPAIGN_ID',
	'GOAL_ID',
	'DEVICE_FORM_FACTOR',
	'DEVICE_OS_FAMILY',
	'DEVICE_BROWSER_FAMILY',
	'DEVICE_BRAND',
	'DEVICE_MODEL',
	'DEVICE_CARRIER',
	'HAS_CONVERSION',
	'HAS_CLICKED',
	'HAS_BOUNCED',
];
const MULTI = ['BRAND', 'CATEGORY1', 'CATEGORY2', 'CATEGORY3', 'CATEGORY4', 'PRODUCT_ID'];
const COLUMNS = [
	'datamart_id',
	'user_point_id',
	'position',
	'instance',
	'arrival',
	'batch_id',
	'session_duration',
	'money',
	'units',
	...[...SINGLE, ...MULTI].map(name => name.toLowerCase()),
];

export function positionOf(ts: number, tie: number): bigint {
	return (BigInt(ts) << 22n) | BigInt(tie);
}

/** Writes the facts of a datamart straight into `fact_rows_v1`. */
export async function insertFacts(
	warehouse: Warehouse,
	datamartId: number,
	facts: readonly Fact[],
): Promise<void> {
	if (facts.length === 0) return;
	const lines = facts.map((fact, place) => {
		const values = (name: string) => fact.dimensions?.[name]?.filter(value => value !== '') ?? [];
		return [
			datamartId,
			fact.userPoint,
			positionOf(fact.ts, fact.tie ?? place),
			1,
			fact.arrival ?? place,
			fact.batch ?? 0,
			fact.sessionDuration ?? -1,
			fact.money ?? 0,
			fact.units ?? 0,
			...SINGLE.map(name => tsv(values(name)[0] ?? '')),
			...MULTI.map(name => `[${values(name).map(quoted).join(',')}]`),
		].join('\t');
	});
	await warehouse.write({
		table: 'fact_rows_v1',
		columns: COLUMNS,
		rows: facts.length,
		payload: Buffer.from(`${lines.join('\n')}\n`),
	});
}

/** What TSV writes otherwise. */
const SPECIAL = /[\\\t\n\r\0]/;

function tsv(text: string): string {
	if (!SPECIAL.test(text)) return text;
	return text
		.replaceAll('\\', '\\\\')
		.replaceAll('\t', '\\t')
		.replaceAll('\n', '\\n')
		.replaceAll('\r', '\\r')
		.replaceAll('\0', '\\0');
}

/** Within an array the engine unescapes once, quotes included. */
function quoted(text: string): string {
	return `'${tsv(text).replaceAll("'", "\\'")}'`;
}
