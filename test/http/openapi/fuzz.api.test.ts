import anyTest, {type TestFn} from 'ava';
import fc from 'fast-check';
import {templateOf} from '../../../src/http/openapi/document.ts';
import type {Route} from '../../../src/http/route.ts';
import {type Places, placesOf} from '../../security/support/places.ts';
import {documentedBy} from '../../support/documented.ts';
import {clientOf, startTestService, type TestService} from '../../support/service.ts';
import {bodiesOf, type Schema, valuesOf} from './support/schema-arbitrary.ts';

/** In all; 20000 before a release. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 600);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

interface Operation {
	readonly parameters?: readonly {readonly in: string; readonly name: string; readonly schema: Schema}[];
	readonly requestBody?: {readonly content: Readonly<Record<string, {readonly schema: Schema}>>};
}

const test = anyTest as TestFn<{service: TestService; places: Places}>;

test.before(async t => {
	const service = await startTestService({PLUGIN_WORKER_ALLOWED_NETWORKS: '127.0.0.0/8'});
	t.context = {service, places: await placesOf(service)};
});
test.after.always(async t => t.context.service?.stop());

test('whatever the schemas allow or forbid is answered as the document says, and never with a fault of ours', async t => {
	t.timeout(60_000 + REQUESTS * 200);
	const {service, places} = t.context;
	const {paths} = (await service.get('/openapi.json')).body;
	const documented = documentedBy(service.routes);
	const asked = clientOf(service.url, places.people.COMMUNITY_ADMIN.accessToken);
	const routes = service.routes.filter(isHarmless);
	const faults: string[] = [];
	const seen = new Map<number, number>();
	for (let number = 0; number < REQUESTS; number++) {
		const route = routes[number % routes.length]!;
		const operation = paths[templateOf(route.path)][route.method.toLowerCase()] as Operation;
		const {query, body, type} = sample(operation, SEED + number);
		const path = `${await places.fill(route, route.path)}${query}`;
		const answer = await asked.request(
			route.method,
			path,
			body,
			type === undefined ? {} : {'content-type': type},
		);
		seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
		const wrong =
			documented({method: route.method, path, status: answer.status, body: answer.body}) ??
			(answer.status >= 500
				? `${route.method} ${path} -> ${answer.status} ${answer.body.error_code}`
				: undefined);
		if (wrong) faults.push(`seed ${SEED + number}: ${wrong}\n  ${path}\n  ${body?.slice(0, 300)}`);
	}
	t.log([...seen].map(([status, count]) => `${status}: ${count}`).join(', '));
	t.deepEqual(faults.slice(0, 20), [], `${faults.length} of ${REQUESTS}`);
	t.true((seen.get(200) ?? 0) > REQUESTS / 20, 'some of it was taken');
	t.true((seen.get(400) ?? 0) > REQUESTS / 20, 'some of it was refused');
});

/** Logins are throttled, and what other requests stand on must not be archived under them. */
function isHarmless({path, method}: Route): boolean {
	return !path.startsWith('/v1/authentication/') && !(method === 'PUT' && ARCHIVING.has(path));
}

const ARCHIVING = new Set(['/v1/plugins/:pluginId', '/v1/plugins/:pluginId/versions/:versionId']);

function sample({parameters = [], requestBody}: Operation, seed: number) {
	const once = <T>(arbitrary: fc.Arbitrary<T>, salt: number): T =>
		fc.sample(arbitrary, {numRuns: 1, seed: seed * 16 + salt})[0]!;
	const words = new URLSearchParams();
	for (const [index, {in: place, name, schema}] of parameters.entries()) {
		if (place !== 'query' || (seed + index) % 3 === 0) continue;
		words.set(name, String(once(valuesOf(schema), index)));
	}
	const query = words.size > 0 ? `?${words}` : '';
	const [type, content] =
		Object.entries(requestBody?.content ?? {})[
			seed % Math.max(1, Object.keys(requestBody?.content ?? {}).length)
		] ?? [];
	if (content === undefined) return {query, body: undefined, type: undefined};
	return {query, body: once(bodiesOf(content.schema), 15), type};
}
