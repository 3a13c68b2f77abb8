#!/usr/bin/env node
// The command line tool: runs as it is written, from a checkout or from an installed package.
import {register} from 'tsx/esm/api';

register();
if (process.argv[2] === 'complete') {
	// Asked at each press of Tab: answered without loading the commands.
	const {complete} = await import('../src/cli/completion/complete.ts');
	await complete(process.argv.slice(3));
} else {
	const {execute, settings} = await import('@oclif/core');
	settings.enableAutoTranspile = false;
	await execute({dir: import.meta.url});
}
