import {parseArgs} from 'node:util';
import {MillraceClient} from '../client/index.ts';
import {readCliConfig} from '../config.ts';
import {LineFile} from './upload/lines.ts';
import {startProgress} from './upload/progress.ts';
import {type UploadResult, uploadLines} from './upload/upload.ts';
import {runCommand, UsageError} from './usage.ts';

const USAGE = `npm run import -- FILE --datamart ID [--url URL] [--token TOKEN] [--in-flight N]

Posts a file of user activities (ndjson, one a line, gzip accepted) through the HTTP API and ends
when all of them can be asked for.

  --datamart ID    where they go
  --url URL        the service (http://127.0.0.1:8080)
  --token TOKEN    an access token; also MILLRACE_TOKEN, or a file named by MILLRACE_TOKEN_FILE
  --in-flight N    requests at once (1). With more than one, batches may arrive out of the file's
                   order, which decides between events of the same millisecond

Exit code: 0 all taken, 1 something rejected or not sent, 2 called wrongly.`;

/** Half a minute of a service that is away. */
const PATIENT_ATTEMPTS = 8;

await runCommand(USAGE, async () => {
	const {file, datamartId, url, token, inFlight} = readArguments();
	const client = new MillraceClient({
		url,
		token,
		maxAttempts: PATIENT_ATTEMPTS,
		onRetry: ({reason, waitMs}) =>
			process.stderr.write(`\n${reason}; again in ${(waitMs / 1000).toFixed(1)} s\n`),
	});
	const lineFile = await openFile(file);
	const progress = startProgress(lineFile.sizeBytes);
	const start = performance.now();
	const upload = () =>
		uploadLines(lineFile.lines(), {
			client,
			datamartId,
			inFlight,
			onProgress: ({lines, rejected}) =>
				progress.update(lineFile.bytesRead, `${lines} lines${rejected > 0 ? `, ${rejected} rejected` : ''}`),
		});
	const result = await upload().finally(() => progress.stop());
	tell(result, (performance.now() - start) / 1000);
	return result.rejected > 0 || result.stopped ? 1 : 0;
});

function readArguments() {
	const {values, positionals} = parseArgs({
		allowPositionals: true,
		options: {
			datamart: {type: 'string'},
			url: {type: 'string', default: 'http://127.0.0.1:8080'},
			token: {type: 'string'},
			'in-flight': {type: 'string', default: '1'},
		},
	});
	const [file, ...others] = positionals;
	if (file === undefined || others.length > 0) throw new UsageError('one file is needed');
	const datamartId = values.datamart ?? '';
	if (!/^[1-9]\d*$/.test(datamartId))
		throw new UsageError('--datamart ID is needed, a positive whole number');
	const inFlight = Number(values['in-flight']);
	if (!Number.isInteger(inFlight) || inFlight < 1 || inFlight > 16)
		throw new UsageError('--in-flight is 1 to 16');
	const token = values.token ?? readCliConfig().token;
	if (!token) throw new UsageError('a token is needed: --token TOKEN, or MILLRACE_TOKEN');
	return {file, datamartId, url: serviceUrl(values.url), token, inFlight};
}

function serviceUrl(text: string): string {
	if (!URL.canParse(text) || !/^https?:/.test(text)) throw new UsageError(`--url ${text} is no http address`);
	return text.replace(/\/+$/, '').replace(/\/v1$/, '');
}

async function openFile(path: string): Promise<LineFile> {
	try {
		return await LineFile.open(path);
	} catch (error) {
		throw new UsageError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
	}
}

function tell(
	{lines, accepted, duplicates, rejected, rejections, stopped}: UploadResult,
	seconds: number,
): void {
	for (const {line, pointer, message} of rejections) {
		process.stderr.write(`line ${line}: ${pointer === '' ? '' : `${pointer} `}${message}\n`);
	}
	if (rejected > rejections.length) process.stderr.write(`... and ${rejected - rejections.length} more\n`);
	if (stopped)
		process.stderr.write(`stopped: ${stopped.reason}; from line ${stopped.line} on nothing was confirmed\n`);
	const rate = seconds > 0 ? ` (${Math.round(lines / seconds)} a second)` : '';
	process.stdout.write(
		`${accepted} accepted, ${duplicates} duplicate, ${rejected} rejected in ${seconds.toFixed(1)} s${rate}\n`,
	);
}
