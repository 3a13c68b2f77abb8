#!/usr/bin/env node
// The command line tool, from a checkout or from an installed package.
import {compiledEntry} from './entry.js';

const completion = await compiledEntry('src/cli/completion/complete.ts');
if (process.argv[2] === 'complete') {
	// Asked at each press of Tab: answered without loading the commands.
	const {complete} = await import(completion.href);
	await complete(process.argv.slice(3));
} else {
	const {execute, settings} = await import('@oclif/core');
	settings.enableAutoTranspile = false;
	await execute({dir: import.meta.url});
}
