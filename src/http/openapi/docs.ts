import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import path from 'node:path';
import Router from '@koa/router';
import type {Middleware} from 'koa';
import {type DocumentOptions, openApiDocument} from './document.ts';

const UI = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** What the page loads, and nothing else of the package. */
const FILES: Readonly<Record<string, string>> = {
	'swagger-ui.css': 'text/css; charset=utf-8',
	'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
	'favicon-32x32.png': 'image/png',
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Millrace</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="interface"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({
	url: '/openapi.json',
	dom_id: '#interface',
	docExpansion: 'none',
	filter: true,
	persistAuthorization: false,
});
`;

/** Scripts and calls of this origin alone; the page's own styles are written into it as it draws. */
const POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const DAY_SECONDS = 86_400;

/** `/openapi.json`, and `/docs`, where it can be read and tried: from our own files, open to everybody. */
export function docsRoutes(options: DocumentOptions): Middleware {
	const router = new Router();
	// Made when somebody asks: it costs a start some hundred milliseconds.
	let text: string | undefined;
	router.get('/openapi.json', context => {
		text ??= JSON.stringify(openApiDocument(options));
		context.set('Access-Control-Allow-Origin', '*');
		context.type = 'application/json; charset=utf-8';
		context.body = text;
	});
	router.get(['/docs', '/docs/'], context => {
		context.set('Content-Security-Policy', POLICY);
		context.set('X-Content-Type-Options', 'nosniff');
		context.set('Referrer-Policy', 'no-referrer');
		context.type = 'text/html; charset=utf-8';
		context.body = PAGE;
	});
	router.get('/docs/start.js', context => {
		context.type = 'text/javascript; charset=utf-8';
		context.body = START;
	});
	router.get('/docs/:file', async context => {
		const {file = ''} = context.params as {file?: string};
		const type = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
		if (type === undefined) return;
		context.set('Cache-Control', `public, max-age=${DAY_SECONDS}`);
		context.set('X-Content-Type-Options', 'nosniff');
		context.type = type;
		context.body = await readFile(path.join(UI, file));
	});
	return router.routes() as Middleware;
}
