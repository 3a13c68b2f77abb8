/** Thread entry: drains the journal into the stores (src/ingestion/drain). Started by `drain-thread.ts` alone. */
import {parentPort, workerData} from 'node:worker_threads';
import {buildDrain} from '../src/ingestion/drain/build-drain.ts';
import type {DrainThreadData, FromDrain, ToDrain} from '../src/ingestion/drain/drain-thread.ts';
import {PartsTracer} from '../src/lib/parts-tracer.ts';
import {Secrets} from '../src/lib/secrets.ts';
import {standBack} from '../src/lib/stand-back.ts';
import {installTracer} from '../src/lib/tracer.ts';
import {openDatabase} from '../src/postgres/database.ts';
import {createWarehouse} from '../src/warehouse/clickhouse.ts';

standBack();
const {stores, place, traced} = workerData as DrainThreadData;
const tracer = traced ? new PartsTracer() : undefined;
installTracer(tracer);
const parts = () => tracer?.take() ?? [];
const tell = (message: FromDrain) => parentPort!.postMessage(message);

const database = await openDatabase({url: stores.databaseUrl, poolSize: 2, silenceMs: 60_000});
const warehouse = createWarehouse(stores.warehouse);
const drain = buildDrain({database, warehouse, secrets: new Secrets(stores.secretKey)}, place, {
	confirmed: (...args) => tell({kind: 'confirmed', arguments: args, parts: parts()}),
	failed(error, backoffMs) {
		const {message, code = 'internal_error'} = error as Error & {code?: string};
		tell({kind: 'failed', message, code, backoffMs, parts: parts()});
	},
	kept: reasons => tell({kind: 'kept', reasons}),
	counted: batch => tell({kind: 'counted', batch}),
});
drain.start();

parentPort!.on('message', async (message: ToDrain) => {
	if (message.kind === 'advance') drain.advance(message.durable);
	else if (message.kind === 'hurry') drain.hurry();
	else if (message.kind === 'watch') {
		await drain.watch(message.watched);
		tell({kind: 'watching', id: message.id});
	} else {
		await drain.stop(message.graceMs);
		await Promise.all([database.close(), warehouse.close()]);
		parentPort!.close();
	}
});
