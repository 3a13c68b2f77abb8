import type {Client} from '../../support/service.ts';
import {ended} from './imports.ts';

const CSV = {'content-type': 'text/csv'};
const pathOf = (datamartId: string) => `/v1/datamarts/${datamartId}/reference_table_job_executions`;

export function postValues(client: Client, datamartId: string, csv: string | Uint8Array, headers = CSV) {
	return client.post(pathOf(datamartId), csv, headers);
}

/** Posts a file and waits for the end of its execution. */
export async function importValues(client: Client, datamartId: string, csv: string | Uint8Array) {
	const {status, body} = await postValues(client, datamartId, csv);
	if (status !== 200) throw new Error(`the file was refused: ${JSON.stringify(body)}`);
	return ended(client, `${pathOf(datamartId)}/${body.data.id}`);
}

export async function valuesWith(client: Client, datamartId: string, keywords: string): Promise<string[]> {
	const query = `keywords=${encodeURIComponent(keywords)}`;
	const {body} = await client.get(`/v1/datamarts/${datamartId}/reference_table_values?${query}`);
	return body.data.values;
}
