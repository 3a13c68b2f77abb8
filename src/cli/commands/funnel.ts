import {readFile} from 'node:fs/promises';
import {Args, Flags} from '@oclif/core';
import {drawFunnel} from '../draw-funnel.ts';
import {datamartFlag} from '../flags.ts';
import {SvcCommand} from '../svc-command.ts';
import {readStandardInput} from '../terminal.ts';

export class Funnel extends SvcCommand {
	static override summary = 'Ask the funnel in a file, and draw the answer';
	static override description =
		'The file holds the JSON body of POST /v1/datamarts/:id/user_analytics_funnel; "-" reads it from standard input.';
	static override examples = ['<%= config.bin %> funnel checkout.json --datamart 1'];
	static override args = {FILE: Args.file({required: true, description: 'JSON file, or -'})};
	static override flags = {
		datamart: datamartFlag(),
		split: Flags.string({
			description: 'also by the values of a dimension at the first step',
			helpValue: 'DIMENSION',
		}),
	};

	async run() {
		const {args, flags} = await this.parse(Funnel);
		this.inputIsTaken = args.FILE === '-';
		const question = this.inputIsTaken ? await readStandardInput() : await readFile(args.FILE, 'utf8');
		const client = await this.client();
		const report = await client.post('/v1/datamarts/{datamartId}/user_analytics_funnel', {
			path: {datamartId: flags.datamart},
			raw: {content: withSplit(question, flags.split), type: 'application/json'},
		});
		this.log(['', ...drawFunnel(report.global)].join('\n'));
		for (const {dimension_names: names, dimension_values: values, ...part} of report.grouped_by) {
			const title = names.map((name, index) => `${name} ${values[index] ?? 'none'}`).join(', ');
			const label = part.dimension_decorator ? ` (${part.dimension_decorator})` : '';
			this.log(['', `${title}${label}`, ...drawFunnel(part.funnel)].join('\n'));
		}
		return report;
	}
}

/** The service says what is wrong with a question; here it only has to be one that a split can be added to. */
function withSplit(question: string, dimension: string | undefined): string {
	if (dimension === undefined) return question;
	const body = JSON.parse(question) as {for?: {group_by_dimensions?: string[]}[]};
	const first = body.for?.[0];
	if (!first) throw new TypeError('the question has no steps that could be split');
	first.group_by_dimensions = [dimension];
	return JSON.stringify(body);
}
