#!/usr/bin/env node
// The server's commands [D110]. The command `brandport` is `cli/bin/brandport.js`, which imports this file for them.
import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { readEnvFile } from './env-file.js';
import { startOnNode } from './start-on-node.js';

readEnvFile();

const built = fileURLToPath(new URL('../src/main.js', import.meta.url));
// The same limits as `npm start`.
const limits = ['--max-semi-space-size=16', '--max-old-space-size=1024'];
process.env.MALLOC_ARENA_MAX ??= '1';
// The package has compiled modules, and runs on Node 22 too, which calls its SQLite experimental.
if (existsSync(built))
  startOnNode([...limits, '--disable-warning=ExperimentalWarning', built, ...process.argv.slice(2)], 22);
else {
  const source = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  startOnNode([...limits, source, ...process.argv.slice(2)], 24);
}
