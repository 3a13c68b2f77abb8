// node scripts/run.js ENTRY [ARGUMENTS]: installs what is missing, compiles what has changed, runs an entry of the project.
import {runEntry} from '../bin/entry.js';

const [entry, ...args] = process.argv.slice(2);
if (entry === undefined) {
	process.stderr.write('usage: node scripts/run.js ENTRY [ARGUMENTS]\n');
	process.exit(2);
}

await runEntry(entry, args);
