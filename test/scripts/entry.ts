import {setTimeout as delay} from 'node:timers/promises';

/** What run.test.ts starts: it says what it was given and ends, or serves until it is told to stop and takes its time. */
const [what, code] = process.argv.slice(2);
if (what === 'exit') {
	process.stdout.write(JSON.stringify(process.argv.slice(2)));
	process.exitCode = Number(code);
} else {
	const alive = setInterval(() => {}, 1000);
	process.once('SIGTERM', async () => {
		process.stdout.write('closing\n');
		await delay(200);
		process.stdout.write('closed\n');
		clearInterval(alive);
	});
	process.stdout.write('serving\n');
}
