#!/usr/bin/env node
// The service from an installed package: `npx millrace`.
import {runEntry} from './entry.js';

await runEntry('src/main.ts', process.argv.slice(2));
