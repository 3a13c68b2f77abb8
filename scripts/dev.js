// npm run dev: the service, compiled and started again when something it is made of changes.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {watch} from 'node:fs';
import {join} from 'node:path';
import {ROOT} from './install.js';

const WATCHED = ['src', 'workers', 'sql'];
/** An editor that saves several files, or git, is waited for. */
const SETTLE_MS = 200;

let service;
let restarting;
let timer;

function start() {
	service = spawn(process.execPath, [join(ROOT, 'scripts', 'run.js'), 'src/main.ts'], {stdio: 'inherit'});
}

async function stop(signal) {
	if (service.exitCode !== null || service.signalCode !== null) return;
	service.kill(signal);
	await once(service, 'exit');
}

async function restart() {
	await restarting;
	process.stderr.write('Starting again ...\n');
	restarting = stop('SIGTERM').then(start);
}

for (const folder of WATCHED) {
	watch(join(ROOT, folder), {recursive: true}, () => {
		clearTimeout(timer);
		timer = setTimeout(restart, SETTLE_MS);
	});
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
	process.on(signal, async () => {
		await stop(signal);
		process.exit();
	});
}
start();
