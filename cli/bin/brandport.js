#!/usr/bin/env node
// The command `brandport` [D144]. The package has compiled modules; the checkout has the TypeScript, which Node 24 runs.
import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

// `--env-file FILE`: the package has a copy of the server's reader.
if (process.argv[2] === '--env-file') {
  const readers = ['../../server/bin/env-file.js', '../dist/env-file.js'];
  const [reader] = readers.map((path) => new URL(path, import.meta.url)).filter((url) => existsSync(url));
  (await import(reader.href)).readEnvFile();
}

const source = new URL('../src/main.ts', import.meta.url);

if (!existsSync(source)) await import(new URL('../dist/main.js', import.meta.url).href);
else if (Number.parseInt(process.versions.node, 10) >= 24) {
  const { preferSource } = await import('./prefer-source.js');
  preferSource();
  await import(source.href);
} else {
  const { startOnNode } = await import(new URL('../../server/bin/start-on-node.js', import.meta.url).href);
  startOnNode([fileURLToPath(import.meta.url), ...process.argv.slice(2)], 24);
}
