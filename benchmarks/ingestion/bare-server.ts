// The ceiling: a Koa server that reads a body, parses it as JSON and answers. Arguments: PORT.
import Koa from 'koa';

const app = new Koa();
app.use(async context => {
	if (context.method === 'POST') {
		const chunks: Buffer[] = [];
		for await (const chunk of context.req) chunks.push(chunk);
		const text = (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8');
		context.body = {status: 'ok', data: JSON.parse(text) !== null};
	} else {
		context.body = {status: 'ok'};
	}
});
app.listen(Number(process.argv[2]), '127.0.0.1');

// Nobody is left to ask it anything once whoever started it is gone.
process.stdin.once('end', () => process.exit(0)).resume();
