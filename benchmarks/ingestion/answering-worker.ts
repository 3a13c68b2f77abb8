/** A plugin worker that answers every activity at once, as it came: what is left of the time is not its. */
import {createServer} from 'node:http';

const port = Number(process.argv[2]);

const server = createServer((request, response) => {
	const chunks: Buffer[] = [];
	request.on('data', chunk => chunks.push(chunk));
	request.on('end', () => {
		const text = Buffer.concat(chunks).toString('utf8');
		const activity = text === '' ? undefined : JSON.parse(text).activity;
		response.end(activity === undefined ? '' : JSON.stringify({status: 'ok', data: activity}));
	});
});
server.listen(port, '127.0.0.1');
// Whoever started it holds its standard input.
process.stdin.resume().on('end', () => process.exit());
