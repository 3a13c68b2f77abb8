import {
	type CsvHeader,
	type CsvValues,
	type HeaderTask,
	readHeader,
	readValues,
	type ValuesTask,
} from '../src/audience/final-values/csv-lines.ts';

/** A file of final values: its header and length, or some thousands of its lines. */
export default (task: HeaderTask | ValuesTask): Promise<CsvHeader | CsvValues> =>
	task.kind === 'header' ? readHeader(task) : readValues(task);
