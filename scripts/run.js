// node scripts/run.js ENTRY [ARGUMENTS]: installs what is missing, then runs a TypeScript entry of the project.
import {runTypeScript} from '../bin/run-typescript.js';
import {ensureInstalled} from './install.js';

const [entry, ...args] = process.argv.slice(2);
if (entry === undefined) {
	process.stderr.write('usage: node scripts/run.js ENTRY [ARGUMENTS]\n');
	process.exit(2);
}

ensureInstalled();
runTypeScript(entry, args);
