import {ActivityReportRequest} from '../../src/analytics/activity-report/activity-report.schema.ts';
import {activityReport} from '../../src/analytics/activity-report/activity-report.ts';
import {ValueLists} from '../../src/analytics/autocomplete/autocomplete.ts';
import type {CountsFeed} from '../../src/analytics/autocomplete/counted.ts';
import {LiveLists, type LiveListsOptions} from '../../src/analytics/autocomplete/live-lists.ts';
import {
	FACT_COLUMNS,
	FACT_TABLE,
	type FactBlock,
	factBlock,
	pushFacts,
} from '../../src/ingestion/drain/blocks.ts';
import {ValueWriter, type WrittenFacts} from '../../src/ingestion/drain/value-writer.ts';
import {instantRanges} from '../../src/query/report-view.ts';
import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import type {Chance} from '../oracle/random.ts';

export const RECEIVED_MS = Date.UTC(2026, 10, 20, 12);
export const DAY_MS = 86_400_000;
const NO_DEVICE = {formFactor: '', osFamily: '', browserFamily: '', brand: '', model: '', carrier: ''};
const INSTANCE = 1;
const CHANNELS = [
	{id: 1, name: 'Shop'},
	{id: 2, name: 'App'},
	{id: 10, name: 'Shop'},
];

let datamarts = 0;
let arrivals = 1;

/** A datamart whose facts are counted into the table of values. */
export interface ValueWorld {
	readonly datamartId: number;
	readonly timeZone: string;
	readonly write: (batch: Batch, more?: Partial<WrittenFacts>) => Promise<void>;
	/** The same question of the table of values and of the facts; undefined where the table cannot tell. */
	ask(body: object): Promise<{fromTable: unknown; fromFacts: unknown}>;
	/** Of all lists in memory, about. */
	readonly liveBytes: number;
	/** The same with lists in memory, told of what is written: whether one of them answered. */
	askLive(body: object): Promise<{answer: unknown; isLive: boolean; fromFacts: unknown}>;
}

export interface Batch {
	readonly facts: FactBlock;
	readonly batchId: number;
	readonly name: string;
}

/** `limits`: of lists in memory. */
export function valueWorld(
	warehouse: Warehouse,
	timeZone: string,
	limits: Pick<LiveListsOptions, 'mostValues' | 'mostBytes'> = {},
): ValueWorld {
	const datamartId = ++datamarts;
	const writer = new ValueWriter({
		warehouse,
		zonesOf: async ids => new Map(ids.map(id => [id, timeZone])),
		countOlder: async () => undefined,
		onCounted: batch => {
			for (const listener of listeners) listener(batch);
		},
	});
	const listeners: Parameters<CountsFeed['onCounted']>[0][] = [];
	const feed: CountsFeed = {
		instance: INSTANCE,
		watch: watched => writer.watch(watched),
		onCounted: listener => listeners.push(listener),
	};
	const lists = new ValueLists(warehouse);
	const live = new LiveLists({warehouse, feed, ...limits});
	const liveLists = new ValueLists(warehouse, live);
	const datamart = {id: datamartId, timeZone};
	return {
		datamartId,
		timeZone,
		write: ({facts, batchId, name}, more) =>
			writer.write({facts, instance: INSTANCE, batchId, name, inDoubt: false, ...more}),
		async ask(body) {
			const request = ActivityReportRequest.parse({metrics: [], ...body});
			const ranges = instantRanges(request.ranges, {nowMs: RECEIVED_MS, timeZone});
			const found = await lists.find({datamart, channelNames: new Map()}, request, ranges);
			const context = {datamart, warehouse, resolveMerges: false};
			const [fromTable, fromFacts] = await Promise.all([
				found && activityReport({...context, valueLists: lists}, request),
				activityReport(context, request),
			]);
			return {fromTable, fromFacts};
		},
		get liveBytes() {
			return live.bytes;
		},
		async askLive(body) {
			const request = ActivityReportRequest.parse({metrics: [], ...body});
			let isLive = false;
			const read = {
				onKnown: () => {
					isLive = true;
				},
			};
			const context = {datamart, warehouse, resolveMerges: false, channels: CHANNELS, now: RECEIVED_MS};
			const answer = await activityReport({...context, valueLists: liveLists, read}, request);
			return {answer, isLive, fromFacts: await activityReport(context, request)};
		},
	};
}

export function drawBatch(datamartId: number, from: Chance, count = 60): Batch {
	const facts = factBlock(count);
	const batchId = arrivals;
	for (let at = 0; at < count; at++) {
		const words = (all: readonly string[]) => all.filter(() => from.pick([true, false, false]));
		const brands = words(['Fellgate', 'fellgate', 'Tarn', 'Ärzte', 'sigmaΣ', '']);
		// Around changes of clocks, over years, and of now.
		const near = from.pick([
			Date.UTC(2026, 9, 25),
			Date.UTC(2026, 2, 29),
			Date.UTC(2010, 10, 7),
			Date.UTC(2018, 10, 4),
			RECEIVED_MS,
		]);
		const tsMs = near + (from.whole(0, 6 * DAY_MS) - 3 * DAY_MS);
		const arrival = arrivals++;
		pushFacts(
			facts,
			{
				type: from.pick(['SITE_VISIT', 'APP_VISIT', 'EMAIL']),
				sessionStatus: '',
				channelId: from.pick(['', '1', '2', '10', '007']),
				originSource: from.pick(['', 'search', "it's"]),
				originChannel: '',
				originCampaignId: '',
				originSubCampaignId: '',
				originCreativeId: '',
				device: NO_DEVICE,
				hasConversion: '0',
				hasClicked: '0',
				hasBounced: '0',
				rows: [
					{
						tsMs,
						eventIndex: 0,
						eventType: from.pick(['', '$item_view', '$page_view']),
						campaignId: '',
						goalId: '',
						brand: [...brands, ...brands.slice(0, 1)].filter(brand => brand !== ''),
						category1: [],
						category2: [],
						category3: [],
						category4: [],
						productId: words(['p1', 'p2', 'p3', 'P1']).map(
							id => id + 'x'.repeat(from.pick([0, 0, 126, 300])),
						),
						sessionDuration: -1,
						money: 0,
						units: 0,
					},
				],
			},
			{
				datamartId,
				instance: INSTANCE,
				arrival,
				receivedMs: RECEIVED_MS,
				batchId,
				userPointId: 1,
				userAgent: '',
				parseUserAgent: () => undefined,
			},
		);
	}
	return {facts, batchId, name: `${INSTANCE}:${batchId}-${arrivals - 1}`};
}

export async function writeFacts({facts}: Batch, warehouse: Warehouse): Promise<void> {
	await warehouse.write({
		table: FACT_TABLE,
		columns: FACT_COLUMNS,
		rows: facts.rows,
		format: 'Native',
		payload: facts.encode(),
	});
}
