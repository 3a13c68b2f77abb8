import {setTimeout as delay} from 'node:timers/promises';
import type {Client} from '../../support/service.ts';

export type DocumentType =
	| 'USER_ACTIVITY'
	| 'USER_SEGMENT'
	| 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS'
	| 'USER_IDENTIFIERS_DELETION';

/** As the specification writes it. */
export async function newImport(client: Client, datamartId: string, documentType: DocumentType) {
	const {status, body} = await client.post(`/v1/datamarts/${datamartId}/document_imports`, {
		document_type: documentType,
		mime_type: 'APPLICATION_X_NDJSON',
		encoding: 'utf-8',
		name: `an import of ${documentType}`,
	});
	if (status !== 200) throw new Error(`the import was refused: ${JSON.stringify(body)}`);
	return body.data;
}

const NDJSON = {'content-type': 'application/x-ndjson'};

/** Posts a file to a new import; answers what the POST said and where its executions are. */
export async function execute(
	client: Client,
	datamartId: string,
	documentType: DocumentType,
	file: string | Uint8Array,
	headers: Record<string, string> = NDJSON,
) {
	const {id} = await newImport(client, datamartId, documentType);
	const path = `/v1/datamarts/${datamartId}/document_imports/${id}/executions`;
	return {path, answer: await client.post(path, file, headers)};
}

/** Until the execution is over. */
export async function ended(client: Client, path: string, patienceMs = 120_000) {
	for (const until = Date.now() + patienceMs; ; await delay(25)) {
		const {data} = (await client.get(path)).body;
		if (data && !['PENDING', 'RUNNING'].includes(data.status)) return data;
		if (Date.now() > until) throw new Error(`it does not end: ${JSON.stringify(data)}`);
	}
}

/** Posts a file and waits for the end. */
export async function imported(
	client: Client,
	datamartId: string,
	documentType: DocumentType,
	file: string | Uint8Array,
) {
	const {path, answer} = await execute(client, datamartId, documentType, file);
	if (answer.status !== 200) throw new Error(`the file was refused: ${JSON.stringify(answer.body)}`);
	return ended(client, `${path}/${answer.body.data.id}`);
}

/** One JSON value a line. */
export function lines(values: readonly object[]): string {
	return values.map(value => `${JSON.stringify(value)}\n`).join('');
}
