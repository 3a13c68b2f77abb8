import {openAsBlob} from 'node:fs';
import {basename} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {Args, Flags} from '@oclif/core';
import type {Api} from '../../api.ts';
import {datamartFlag} from '../../flags.ts';
import {SvcCommand} from '../../svc-command.ts';
import {startProgress} from '../../upload/progress.ts';

const TYPES = [
	'USER_ACTIVITY',
	'USER_SEGMENT',
	'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS',
	'USER_IDENTIFIERS_DELETION',
];
const LOOK_EVERY_MS = 500;

/** An execution as the API answers it, as far as it is followed. */
interface Execution {
	readonly id: string;
	readonly status: string;
	readonly num_tasks: number | null;
	readonly completed_tasks: number | null;
	readonly erroneous_tasks: number | null;
	readonly result: {readonly error_file_uri?: string | null} | null;
	readonly error: {readonly message: string} | null;
}

export class ImportsRun extends SvcCommand {
	static override summary = 'Import a file in bulk: make the import, start it, and follow it to its end';
	static override examples = [
		'<%= config.bin %> imports:run gone.ndjson --datamart 1 --type USER_IDENTIFIERS_DELETION --follow',
	];
	static override args = {FILE: Args.file({required: true, exists: true, description: 'ndjson file'})};
	static override flags = {
		datamart: datamartFlag(),
		type: Flags.string({description: 'what the lines are', options: TYPES, required: true}),
		name: Flags.string({description: "the import's name; the file's where left out"}),
		follow: Flags.boolean({char: 'f', description: 'wait for the end'}),
	};

	async run() {
		const {args, flags} = await this.parse(ImportsRun);
		const api = await this.api();
		const imports = `/v1/datamarts/${flags.datamart}/document_imports`;
		const {id} = this.dataOf<{id: string}>(
			await api.postOnce(
				imports,
				JSON.stringify({
					document_type: flags.type,
					mime_type: 'APPLICATION_X_NDJSON',
					encoding: 'utf-8',
					name: flags.name ?? basename(args.FILE),
				}),
			),
		);
		const executions = `${imports}/${id}/executions`;
		const file = await openAsBlob(args.FILE);
		const begun = this.dataOf<Execution>(
			await api.postOnce(executions, file, {'content-type': 'application/x-ndjson'}),
		);
		if (!flags.follow) {
			this.log(`import ${id}, execution ${begun.id}: ${begun.status}`);
			return {document_import_id: id, execution: begun};
		}
		const execution = await this.#follow(api, `${executions}/${begun.id}`);
		this.#tell(execution);
		if (execution.status !== 'SUCCEEDED') process.exitCode = 1;
		return {document_import_id: id, execution};
	}

	async #follow(api: Api, path: string): Promise<Execution> {
		let progress: ReturnType<typeof startProgress> | undefined;
		try {
			for (;;) {
				const execution = this.dataOf<Execution>(await api.get(path));
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
