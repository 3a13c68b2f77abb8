import {Args, Flags} from '@oclif/core';
import type {MillraceClient} from '../../../client/index.ts';
import {datamartFlag} from '../../flags.ts';
import {SvcCommand} from '../../svc-command.ts';
import {type Line, LineFile, splitLines} from '../../upload/lines.ts';
import {startProgress} from '../../upload/progress.ts';
import {ResumableRun} from '../../upload/resumable.ts';
import {type UploadResult, uploadLines} from '../../upload/upload.ts';

type Upload = {client: MillraceClient; datamartId: string; inFlight: number};

/** Over a minute of a service that is away. */
const PATIENT_ATTEMPTS = 12;

export class ActivitiesSend extends SvcCommand {
	static override summary = 'Send a file of user activities, and wait until all can be asked for';
	static override description =
		'One activity a line (ndjson), gzip or plain. When interrupted, the same command goes on where it was: nothing is sent twice. "-" reads standard input, which cannot be resumed.';
	static override examples = ['<%= config.bin %> activities:send activities.ndjson.gz --datamart 1'];
	static override args = {FILE: Args.file({required: true, description: 'ndjson file, or -'})};
	static override flags = {
		datamart: datamartFlag(),
		'in-flight': Flags.integer({
			description:
				'requests at once; with more than one, batches may arrive out of order, which decides between events of the same millisecond',
			default: 1,
			min: 1,
			max: 16,
		}),
	};

	async run() {
		const {args, flags} = await this.parse(ActivitiesSend);
		this.inputIsTaken = args.FILE === '-';
		const client = await this.client(PATIENT_ATTEMPTS);
		const upload = {client, datamartId: flags.datamart, inFlight: flags['in-flight']};
		const started = performance.now();
		const result = this.inputIsTaken ? await this.#stream(upload) : await this.#file(args.FILE, upload);
		this.#tell(result, (performance.now() - started) / 1000);
		if (result.stopped || result.rejected > 0) process.exitCode = 1;
		return result;
	}

	#stream(upload: Upload): Promise<UploadResult> {
		return uploadLines(splitLines(process.stdin), upload);
	}

	async #file(file: string, upload: Upload): Promise<UploadResult> {
		const target = `${await this.baseUrl()} ${upload.datamartId}`;
		const [lineFile, resumable] = await Promise.all([
			LineFile.open(file),
			ResumableRun.open(this.config.cacheDir, file, target),
		]);
		const {runId, answeredLine} = resumable.run;
		if (answeredLine > 0) this.logToStderr(`going on after line ${answeredLine}`);
		const progress = startProgress(lineFile.sizeBytes);
		const interrupt = () => {
			void resumable.keep().finally(() => process.exit(130));
		};
		process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
		try {
			const result = await uploadLines(after(answeredLine, lineFile.lines()), {
				...upload,
				runId,
				onAnswered: line => resumable.note(line),
				onProgress: ({lines, rejected}) =>
					progress.update(
						lineFile.bytesRead,
						`${lines} lines${rejected > 0 ? `, ${rejected} rejected` : ''}`,
					),
			});
			await (result.stopped ? resumable.keep() : resumable.forget());
			return result;
		} finally {
			progress.stop();
			process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
		}
	}

	#tell(result: UploadResult, seconds: number): void {
		const {accepted, duplicates, rejected, rejections, stopped} = result;
		for (const {line, pointer, message} of rejections) {
			this.logToStderr(`line ${line}: ${pointer === '' ? '' : `${pointer} `}${message}`);
		}
		if (rejected > rejections.length) this.logToStderr(`... and ${rejected - rejections.length} more`);
		if (stopped) this.logToStderr(`stopped before line ${stopped.line}: ${stopped.reason}`);
		this.log(
			`${accepted} accepted, ${duplicates} duplicate, ${rejected} rejected in ${seconds.toFixed(1)} s`,
		);
	}
}

async function* after(answeredLine: number, lines: AsyncIterable<Line>): AsyncGenerator<Line> {
	for await (const line of lines) if (line.number > answeredLine) yield line;
}
