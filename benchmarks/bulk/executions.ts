import {setTimeout as delay} from 'node:timers/promises';
import type {ServiceProgram} from '../support/service.ts';

const VALUES = 100_000;
let csv: string | undefined;

/** 100,000 final values from the POST until the last one is found; answers how long that took, in ms. */
export async function importFinalValues(service: ServiceProgram): Promise<number> {
	csv ??= Array.from({length: VALUES}, (_, index) => `profiles,country,value ${index}\n`).join('');
	const path = `${service.datamart}/reference_table_job_executions`;
	const began = performance.now();
	const posted = await post(service, path, `level1,level2,final_value\n${csv}`, 'text/csv');
	await ended(service, `${path}/${posted.id}`);
	const found = await service.client.get(`${service.datamart}/reference_table_values?keywords=value 99999`);
	if (found.body.data.values.length !== 1) throw new Error('a value was not found');
	return performance.now() - began;
}

/** Posts a file; answers its execution. */
export async function post(
	service: ServiceProgram,
	path: string,
	file: string | Buffer,
	contentType: string,
) {
	const {status, body} = await service.client.post(path, file, {'content-type': contentType});
	if (status !== 200) throw new Error(JSON.stringify(body));
	return body.data;
}

/** Until the execution has succeeded; throws where it ends otherwise. */
export async function ended(service: ServiceProgram, path: string) {
	for (;;) {
		const {data} = (await service.client.get(path)).body;
		if (data.status === 'SUCCEEDED') return data;
		if (!['PENDING', 'RUNNING'].includes(data.status)) throw new Error(JSON.stringify(data));
		await delay(20);
	}
}
