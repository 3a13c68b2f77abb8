/**
 * A plugin worker without any library: what all three kinds have in common. Node 20 and nothing else.
 *
 * The environment says who it is: PLUGIN_WORKER_ID and PLUGIN_AUTHENTICATION_TOKEN (answered once, when its address was
 * set), PLUGIN_PORT (8081), and GATEWAY_HOST and GATEWAY_PORT: where Millrace is (127.0.0.1, 8080).
 */
import {createServer} from 'node:http';

const {
	PLUGIN_WORKER_ID: workerId,
	PLUGIN_AUTHENTICATION_TOKEN: token,
	PLUGIN_PORT: port = '8081',
	GATEWAY_HOST: gatewayHost = '127.0.0.1',
	GATEWAY_PORT: gatewayPort = '8080',
} = process.env;

const MAX_BODY_BYTES = 5 * 1024 * 1024;
/** Properties change rarely: so long an instance's are used before they are read again. */
const INSTANCE_CACHE_MS = 10 * 60_000;

/** Reads from Millrace, as this worker and for its own organisation. */
export async function fromGateway(path) {
	const credentials = Buffer.from(`${workerId}:${token}`).toString('base64');
	const answer = await fetch(`http://${gatewayHost}:${gatewayPort}${path}`, {
		headers: {authorization: `Basic ${credentials}`, accept: 'application/json'},
	});
	if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
	return (await answer.json()).data;
}

const known = new Map();

/** The properties under a path as `{technical_name: value}`, read once for all who ask while they are fresh. */
export function propertiesOf(path, {fresh = false} = {}) {
	const cached = known.get(path);
	if (!fresh && cached && cached.until > Date.now()) return cached.properties;
	const properties = fromGateway(path).then(list =>
		Object.fromEntries(list.map(property => [property.technical_name, property.value?.value])),
	);
	// One that could not be read is asked for again.
	properties.catch(() => known.delete(path));
	known.set(path, {properties, until: Date.now() + INSTANCE_CACHE_MS});
	return properties;
}

/**
 * Serves `routes`: path -> what answers a request's body with a value. An error becomes a 500, after which Millrace does
 * as the instance's error recovery strategy says.
 */
export function startPluginWorker(routes) {
	if (!workerId || !token) {
		throw new Error('PLUGIN_WORKER_ID and PLUGIN_AUTHENTICATION_TOKEN are not set: see register.js');
	}
	const server = createServer(async (request, response) => {
		const send = (status, body) => {
			response.writeHead(status, {'content-type': 'application/json'});
			response.end(body === undefined ? '' : JSON.stringify(body));
		};
		try {
			const body = await bodyOf(request);
			// Millrace greets a worker, and looks whether it is there.
			if (request.url === '/v1/init' || request.url === '/v1/status') return send(200);
			const answering = request.method === 'POST' && routes[request.url];
			if (!answering) return send(404, {error: `${request.method} ${request.url} is not served`});
			send(200, await answering(body));
		} catch (error) {
			send(500, {error: error.message});
		}
	});
	server.listen(Number(port), '127.0.0.1', () => {
		process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
	});
	for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
	return server;
}

async function bodyOf(request) {
	const chunks = [];
	let length = 0;
	for await (const chunk of request) {
		length += chunk.length;
		if (length > MAX_BODY_BYTES) throw new Error('the request is too large');
		chunks.push(chunk);
	}
	const text = Buffer.concat(chunks).toString('utf8');
	return text === '' ? {} : JSON.parse(text);
}
