import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { repositoryRoot } from './generated-files.ts';
import { findLongComments } from './long-comments.ts';

/** Part of `npm run check`: prints every long comment of the sources and exits with 1 if there is one. */
const cwd = repositoryRoot;
const paths = execFileSync('git', ['ls-files', '-z', '--', '*.ts', '*.tsx'], { cwd, encoding: 'utf8' });
for (const path of paths.split('\0')) {
  // Their comments are descriptions of the OpenAPI documents.
  if (path === '' || path.startsWith('client/src/generated/')) continue;
  for (const { line, found } of findLongComments(readFileSync(new URL(path, repositoryRoot), 'utf8'))) {
    const advice = 'say why in fewer words; measurements go to bench/notes/, reasons to docs/decisions/';
    process.stderr.write(`${path}:${line}: ${found}: ${advice}\n`);
    process.exitCode = 1;
  }
}
