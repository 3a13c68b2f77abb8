import type {Dimension} from '../../query/dimensions.ts';
import type {Metric} from '../../query/metrics.ts';
import type {ValueSql} from '../../query/values.ts';

/**
 * A dimension of a cube: its value is an expression over the columns of the cube's source. Times are UTC.
 * `ofDays`: sums of whole days tell it as well; else the facts themselves are asked. `spanMs`: how finely it tells time.
 */
export interface CubeDimension extends Dimension {
	readonly value: ValueSql;
	readonly ofDays: boolean;
	readonly spanMs?: number;
}

/** What one endpoint of the monitoring reports may be asked for. */
export interface CubeCatalogue {
	readonly dimensions: readonly CubeDimension[];
	readonly metrics: readonly Metric[];
}

type Told = Pick<CubeDimension, 'name' | 'label' | 'description'> & Partial<CubeDimension>;

function dimension(value: ValueSql, told: Told): CubeDimension {
	const type = value.shape === 'number' ? 'number' : 'string';
	return {kind: 'single', type, column: '', uses: [], ofDays: true, value, ...told};
}

/** A number in the open, 0 for none. */
function id(
	column: string,
	label: string,
	description: string,
	told: Partial<CubeDimension> = {},
): CubeDimension {
	const value: ValueSql = {shape: 'number', sql: `nullIf(${column}, 0)`};
	return dimension(value, {name: column.toUpperCase(), label, description, ...told});
}

function text(
	column: string,
	label: string,
	description: string,
	told: Partial<CubeDimension> = {},
): CubeDimension {
	return dimension({shape: 'text', sql: column}, {name: column.toUpperCase(), label, description, ...told});
}

/** A fact's own number, to group or filter by. */
function cost(column: string, label: string, description: string): CubeDimension {
	return dimension(
		{shape: 'number', sql: column},
		{name: column.toUpperCase(), label, description, ofDays: false},
	);
}

/** Grouped as a time, written only for the few groups that are answered. */
function time(name: string, label: string, format: string, [sql, spanMs]: Span): CubeDimension {
	const write = (key: string) => `formatDateTime(${key}, '${format}', 'UTC')`;
	const value: ValueSql = {shape: 'text', sql: write(sql), key: {sql, text: write}};
	const description = `When it was, UTC: ${label}`;
	return dimension(value, {name, label, description, kind: 'time', ofDays: spanMs === DAY_MS, spanMs});
}

type Span = readonly [sql: string, spanMs: number];

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const DAY: Span = [`toDateTime(day, 'UTC')`, DAY_MS];
const HOUR: Span = [`toStartOfHour(at, 'UTC')`, HOUR_MS];
const MINUTE: Span = [`toStartOfMinute(at, 'UTC')`, 60_000];

const DATE_TIME = dimension(
	{shape: 'number', sql: `toInt64(toUnixTimestamp(${HOUR[0]})) * 1000`},
	{
		name: 'DATE_TIME',
		label: 'Date Time',
		description: 'The hour it was in, UTC, epoch ms',
		kind: 'time',
		unit: 'ms',
		ofDays: false,
		spanMs: HOUR_MS,
	},
);
const TIMES = [
	DATE_TIME,
	time('DATE_YYYY_MM_DD', 'Day, 2026-03-01', '%Y-%m-%d', DAY),
	time('DATE_YYYYMMDD', 'Day, 20260301', '%Y%m%d', DAY),
	time('DATE_YYYY_MM_DD_HH', 'Hour, 2026-03-01 13', '%Y-%m-%d %H', HOUR),
	time('DATE_YYYYMMDDHH', 'Hour, 2026030113', '%Y%m%d%H', HOUR),
	time('DATE_YYYY_MM_DD_HH_MM', 'Minute, 2026-03-01 13:05', '%Y-%m-%d %H:%i', MINUTE),
];

const TENANTS = [
	id('community_id', 'Community Id', 'The community whose organisation it is'),
	id('organisation_id', 'Organisation Id', 'The organisation that pays for it'),
	id('datamart_id', 'Datamart Id', 'The datamart that is asked or filled'),
];
const COLLECTION = text('collection', 'Collection', 'What was brought, such as UserActivity');

function sum(column: string, label: string, description: string): Metric {
	return {name: column, label, description, sql: `sum(${column}_sum)`};
}

/** What queries cost and what was brought (semantics.md, Resource usage; field guide, Reports). A new one is a line. */
export const RESOURCES_USAGE: CubeCatalogue = {
	dimensions: [
		...TENANTS,
		...TIMES,
		text('source', 'Source', 'For what it was asked: DASHBOARD, API ...; INGESTION for what was brought'),
		text('sub_source', 'Sub Source', 'The same, more closely, where the client says so'),
		text('execution_id', 'Execution Id', 'The query, or the batch', {ofDays: false}),
		text('resource_id', 'Resource Id', 'The question: funnel.steps ...', {ofDays: false}),
		id('user_id', 'User Id', 'Who asked', {ofDays: false}),
		COLLECTION,
		cost('scan_cost', 'Scan Cost', 'Rows one query read'),
		cost('read_cost', 'Read Cost', 'Bytes one query read'),
		cost('write_cost', 'Write Cost', 'Bytes one batch brought'),
		cost('count', 'Count', 'Records one batch brought'),
	],
	metrics: [
		sum('scan_cost', 'Scan Cost', 'Rows the engine read'),
		sum('read_cost', 'Read Cost', 'Bytes the engine read'),
		sum('write_cost', 'Write Cost', 'Bytes that were brought'),
		sum('count', 'Count', 'Records that were brought'),
	],
};

/** How much there is of what, by when it came. */
export const COLLECTIONS: CubeCatalogue = {
	dimensions: [...TENANTS, ...TIMES, COLLECTION],
	metrics: [sum('count', 'Count', 'Elements of the collection')],
};

/** What becomes of events on their way in. */
export const DATA_INGESTION: CubeCatalogue = {
	dimensions: [
		...TENANTS,
		...TIMES,
		text('event_name', 'Event Name', 'Name of the event, such as $item_view'),
		text('channel_id', 'Channel Id', 'Site or application it happened on', {type: 'id'}),
		text('pipeline_step', 'Pipeline Step', 'How far it came: API accepted, DOCUMENT_STORE stored'),
		text('error_type', 'Error Type', 'Why the activity is a dead letter'),
	],
	metrics: [
		sum('event_count', 'Event Count', 'Events that came so far'),
		sum('error_count', 'Error Count', 'Activities that came no further'),
	],
};

/** A dimension of any of these catalogues; requests hold no others. */
export function cubeDimension(dimension: Dimension): CubeDimension {
	if ('ofDays' in dimension) return dimension as CubeDimension;
	throw new Error(`${dimension.name} is of no cube`);
}
