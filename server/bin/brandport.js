#!/usr/bin/env node
// The server's commands [D110]. The command `brandport` is `cli/bin/brandport.js`, which imports this file for them.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { readEnvFile } from './env-file.js';
import { startOnNode } from './start-on-node.js';

readEnvFile();

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));
// The same limits as `npm start`.
process.env.MALLOC_ARENA_MAX ??= '2';
startOnNode(['--max-semi-space-size=16', '--max-old-space-size=1024', program, ...process.argv.slice(2)]);
