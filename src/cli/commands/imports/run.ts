import {openAsBlob} from 'node:fs';
import {basename} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {Args, Flags} from '@oclif/core';
import type {DataOf, MillraceClient} from '../../../client/index.ts';
import {datamartFlag} from '../../flags.ts';
import {SvcCommand} from '../../svc-command.ts';
import {startProgress} from '../../upload/progress.ts';

const TYPES = [
	'USER_ACTIVITY',
	'USER_SEGMENT',
	'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS',
	'USER_IDENTIFIERS_DELETION',
] as const;
const LOOK_EVERY_MS = 500;

const IMPORTS = '/v1/datamarts/{datamartId}/document_imports';
const EXECUTIONS = `${IMPORTS}/{documentImportId}/executions` as const;
const EXECUTION = `${EXECUTIONS}/{executionId}` as const;

type Execution = DataOf<'GET', typeof EXECUTION>;
type Place = {datamartId: string; documentImportId: string; executionId: string};

export class ImportsRun extends SvcCommand {
	static override summary = 'Import a file in bulk: make the import, start it, and follow it to its end';
	static override examples = [
		'<%= config.bin %> imports:run gone.ndjson --datamart 1 --type USER_IDENTIFIERS_DELETION --follow',
	];
	static override args = {FILE: Args.file({required: true, exists: true, description: 'ndjson file'})};
	static override flags = {
		datamart: datamartFlag(),
		type: Flags.option({description: 'what the lines are', options: TYPES, required: true})(),
		name: Flags.string({description: "the import's name; the file's where left out"}),
		follow: Flags.boolean({char: 'f', description: 'wait for the end'}),
	};

	async run() {
		const {args, flags} = await this.parse(ImportsRun);
		const client = await this.client();
		const {id} = await client.post(IMPORTS, {
			path: {datamartId: flags.datamart},
			body: {
				document_type: flags.type,
				mime_type: 'APPLICATION_X_NDJSON',
				encoding: 'utf-8',
				name: flags.name ?? basename(args.FILE),
			},
		});
		const place = {datamartId: flags.datamart, documentImportId: id};
		const begun = await client.post(EXECUTIONS, {
			path: place,
			raw: {content: await openAsBlob(args.FILE), type: 'application/x-ndjson'},
		});
		if (!flags.follow) {
			this.log(`import ${id}, execution ${begun.id}: ${begun.status}`);
			return {document_import_id: id, execution: begun};
		}
		const execution = await this.#follow(client, {...place, executionId: begun.id});
		this.#tell(execution);
		if (execution.status !== 'SUCCEEDED') process.exitCode = 1;
		return {document_import_id: id, execution};
	}

	async #follow(client: MillraceClient, path: Place): Promise<Execution> {
		let progress: ReturnType<typeof startProgress> | undefined;
		try {
			for (;;) {
				const execution = await client.get(EXECUTION, {path});
				const {num_tasks: all, completed_tasks: done, erroneous_tasks: wrong} = execution;
				if (all) progress ??= startProgress(all);
				progress?.update((done ?? 0) + (wrong ?? 0), `${done ?? 0} done, ${wrong ?? 0} in error`);
				if (execution.status !== 'PENDING' && execution.status !== 'RUNNING') return execution;
				await delay(LOOK_EVERY_MS);
			}
		} finally {
			progress?.stop();
		}
	}

	#tell({status, completed_tasks: done, erroneous_tasks: wrong, result, error}: Execution): void {
		this.log(`${status}: ${done ?? 0} done, ${wrong ?? 0} in error`);
		if (error) this.logToStderr(error.message);
		if (result?.error_file_uri && wrong) {
			this.logToStderr(`what was wrong: GET /v1/data_file/data?uri=${result.error_file_uri}`);
		}
	}
}
