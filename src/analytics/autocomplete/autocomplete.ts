import type {InstantRange} from '../../lib/days.ts';
import {wholeDays} from '../../lib/local-days.ts';
import type {ReportRequest} from '../../query/report.schema.ts';
import type {ReadOptions, Warehouse} from '../../warehouse/warehouse.ts';
import {completeness, type ValueListQuestion, valueList} from './autocomplete.query.ts';
import type {LiveLists} from './live-lists.ts';
import {listedFor} from './value-table.ts';

export interface ValueListContext {
	readonly datamart: {readonly id: number; readonly timeZone: string};
	readonly channelNames: ReadonlyMap<string, string>;
	readonly read?: ReadOptions | undefined;
}

/** Lists of values out of the table that is kept for them, or of memory where they are. */
export class ValueLists {
	readonly #warehouse: Warehouse;
	readonly #live: LiveLists | undefined;
	#isComplete = false;

	constructor(warehouse: Warehouse, live?: LiveLists) {
		this.#warehouse = warehouse;
		this.#live = live;
	}

	/**
	 * The report's rows; undefined where only the facts can tell them: numbers, several dimensions, another dimension's
	 * condition, parts of a day, or facts that have not been counted yet. Errors: the warehouse's.
	 */
	async find(context: ValueListContext, request: ReportRequest, ranges: readonly InstantRange[]) {
		const question = questionOf(context, request, ranges);
		if (!question || !(await this.#mayTell())) return undefined;
		const since = performance.now();
		const known = this.#live?.find(question);
		if (known) {
			context.read?.onKnown?.(valueList.name, performance.now() - since);
			return known;
		}
		const {rows} = await this.#warehouse.read(valueList, question, context.read);
		void this.#live?.want(question);
		return rows;
	}

	/** Once true it stays so. */
	async #mayTell(): Promise<boolean> {
		if (this.#isComplete) return true;
		this.#isComplete = await areOlderFactsCounted(this.#warehouse);
		return this.#isComplete;
	}
}

/** Whether the facts of before the table was there have been counted into it. Errors: the warehouse's. */
export async function areOlderFactsCounted(warehouse: Warehouse): Promise<boolean> {
	const {rows} = await warehouse.read(completeness, {});
	return rows[0]!.is_complete;
}

function questionOf(
	{datamart, channelNames}: ValueListContext,
	request: ReportRequest,
	ranges: readonly InstantRange[],
): ValueListQuestion | undefined {
	const [dimension, ...others] = new Set(request.dimensions);
	if (!dimension || others.length > 0 || asksNumbers(request)) return undefined;
	const listed = listedFor(dimension);
	if (!listed) return undefined;
	const {filters} = request.clause;
	if (filters.some(filter => filter.dimension !== dimension)) return undefined;
	// Of a row with several values one may be what another must not be.
	const isOfTheRow = filters.some(({not, operator}) => not || operator === 'IS_NULL');
	if (dimension.kind === 'multi' && isOfTheRow) return undefined;
	const days = ranges.map(range => wholeDays(range, datamart.timeZone));
	if (!days.every(each => each !== undefined)) return undefined;
	const [fromMs, untilMs] = [
		Math.min(...ranges.map(range => range.fromMs)),
		Math.max(...ranges.map(range => range.untilMs)),
	];
	const footprint = {datamartId: datamart.id, fromMs, untilMs};
	return {datamartId: datamart.id, dimension, listed, days, footprint, request, channelNames};
}

function asksNumbers({metrics, metricClause, orderBy}: ReportRequest): boolean {
	return metrics.length > 0 || metricClause.filters.length > 0 || orderBy.some(({by}) => !('kind' in by));
}
