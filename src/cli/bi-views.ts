import {createHash, randomBytes} from 'node:crypto';
import {parseArgs} from 'node:util';
import {biViews} from './bi-statements.ts';
import {runCommand, UsageError} from './usage.ts';

const USAGE = `npm run -s bi-views -- --datamart ID [--tables NAME] [--reader NAME]

Prints statements for a ClickHouse server: views over one datamart, in the database millrace_bi_ID, and a
user who may read these and nothing else. Its password is told once, on the other output.

  --datamart ID    whose rows
  --tables NAME    the service's own database (default)
  --reader NAME    the user (millrace_bi_ID)

  npm run -s bi-views -- --datamart 1 | clickhouse-client --multiquery

Exit code: 0, or 2 called wrongly.`;

await runCommand(USAGE, async () => {
	const {values} = parseArgs({
		options: {datamart: {type: 'string'}, tables: {type: 'string'}, reader: {type: 'string'}},
	});
	const datamartId = Number(values.datamart);
	if (!/^[1-9]\d{0,9}$/.test(values.datamart ?? '')) throw new UsageError('--datamart is an id');
	for (const name of [values.tables, values.reader]) {
		if (name !== undefined && !/^[A-Za-z_]\w{0,63}$/.test(name)) {
			throw new UsageError(`${name} is no name: letters, digits and _`);
		}
	}
	const password = randomBytes(24).toString('base64url');
	const {views, reader} = biViews({
		datamartId,
		tables: values.tables,
		reader: values.reader,
		passwordHash: createHash('sha256').update(password).digest('hex'),
	});
	process.stdout.write(`${[...views, ...reader].join('\n;\n')}\n;\n`);
	process.stderr.write(`password of the reader: ${password}\n`);
	return 0;
});
