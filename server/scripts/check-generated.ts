import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { makeGeneratedFiles, repositoryRoot } from './generated-files.ts';

/** Part of `npm run check`: exits with 1 if a generated file is not up to date. */
const stale: string[] = [];
for (const { path, content } of await makeGeneratedFiles()) {
  if ((await committed(path)) !== content) stale.push(path);
}
for (const path of stale) process.stderr.write(`${path} is stale; run \`npm run generate\` and commit it.\n`);
process.exitCode = stale.length > 0 ? 1 : 0;

async function committed(path: string): Promise<string | null> {
  try {
    return await readFile(new URL(path, repositoryRoot), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
