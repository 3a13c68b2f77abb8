// npm run client-types: writes src/client/interface.generated.ts anew, of the routes of a service on embedded engines.
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {readConfig} from '../src/config.ts';
import {openApiDocument} from '../src/http/openapi/document.ts';
import {projectFile} from '../src/lib/project.ts';
import {createLog} from '../src/operations/log.ts';
import {Metrics} from '../src/operations/metrics.ts';
import {Readiness} from '../src/operations/readiness.ts';
import {createServices, PARTS} from '../src/services.ts';
import {clientTypesOf} from './client-types-of.ts';

const FILE = projectFile('src/client/interface.generated.ts');
const CLOSE_WITHIN_MS = 10_000;

const directory = await mkdtemp(join(tmpdir(), 'millrace-client-types-'));
const config = readConfig({
	DATA_DIR: directory,
	PORT: '0',
	LOG_LEVEL: 'silent',
	ADMIN_PASSWORD: 'asked nothing',
});
const services = await createServices({
	config,
	log: createLog(config.LOG_LEVEL),
	metrics: new Metrics(),
	readiness: new Readiness(PARTS),
});
try {
	const document = openApiDocument({routes: services.routes, brand: 'Svc', version: '0'});
	await writeFile(FILE, await clientTypesOf(document));
} finally {
	await services.close(CLOSE_WITHIN_MS);
	await rm(directory, {recursive: true, force: true});
}
