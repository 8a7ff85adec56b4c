import { mkdir, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { makeGeneratedFiles, repositoryRoot } from './generated-files.ts';

/** `npm run generate`: writes the generated files. */
for (const { path, content } of await makeGeneratedFiles()) {
  const file = new URL(path, repositoryRoot);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, content);
  process.stdout.write(`wrote ${path}\n`);
}
