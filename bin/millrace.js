#!/usr/bin/env node
// The service from an installed package: `npx millrace`.
import {runTypeScript} from './run-typescript.js';

runTypeScript('src/main.ts', process.argv.slice(2));
