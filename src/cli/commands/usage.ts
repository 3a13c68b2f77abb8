import {Flags} from '@oclif/core';
import {SvcCommand} from '../svc-command.ts';
import {table} from '../terminal.ts';

const DAY_MS = 24 * 3_600_000;
const METRICS = ['scan_cost', 'read_cost', 'write_cost'];
const DIMENSIONS = ['date_yyyy_mm_dd', 'datamart_id', 'organisation_id', 'source', 'sub_source'];

export class Usage extends SvcCommand {
	static override summary = 'Print what questions and activities have cost';
	static override examples = ['<%= config.bin %> usage --days 30 --by datamart_id'];
	static override flags = {
		days: Flags.integer({
			description: 'the last so many days, today included (UTC)',
			default: 7,
			min: 1,
			max: 731,
		}),
		by: Flags.string({
			description: 'one line for each value of it; may be given more than once',
			multiple: true,
			options: DIMENSIONS,
			default: ['date_yyyy_mm_dd', 'datamart_id'],
		}),
		datamart: Flags.string({char: 'd', description: 'only this datamart', helpValue: 'ID'}),
	};

	async run() {
		const {flags} = await this.parse(Usage);
		const {datamart} = flags;
		const {report_view: view} = await (await this.client()).post('/v1/platform_monitoring/resources_usage', {
			body: {
				date_ranges: [rangeOf(flags.days)],
				dimensions: flags.by.map(name => ({name})),
				dimension_filter_clauses: {
					operator: 'AND',
					filters: datamart
						? [{dimension_name: 'datamart_id', operator: 'EXACT', expressions: [datamart]}]
						: [],
				},
				metrics: METRICS.map(expression => ({expression})),
			},
		});
		this.log(
			table(
				view.columns_headers.map(name => name.toUpperCase()),
				view.rows,
			),
		);
		return view;
	}
}

function rangeOf(days: number) {
	const day = (ts: number) => new Date(ts).toISOString().slice(0, 10);
	const now = Date.now();
	return {start_date: `${day(now - (days - 1) * DAY_MS)}T00:00:00`, end_date: `${day(now)}T23:59:59`};
}
