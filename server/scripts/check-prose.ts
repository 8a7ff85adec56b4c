import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { repositoryRoot } from './generated-files.ts';
import { findProseProblems } from './prose/find-problems.ts';

/** Part of `npm run check`: prints every banned wording of the repository and exits with 1 if there is one. */
const extensions = ['*.ts', '*.md', '*.sql', '*.json', '*.yaml', '*.yml'];

/** Files that list the banned words, dumps of earlier databases, and descriptions that are checked at their source. */
const exempt = [
  'CONTRIBUTING.md',
  'server/scripts/prose/',
  'server/database/tests/states/',
  'client/src/generated/',
  'package-lock.json',
];

let count = 0;
for (const path of trackedFiles()) {
  if (exempt.some((start) => path.startsWith(start))) continue;
  const text = readFileSync(new URL(path, repositoryRoot), 'utf8');
  for (const { line, found, say } of findProseProblems(text)) {
    process.stderr.write(`${path}:${line}: "${found}": ${say}\n`);
    count += 1;
  }
}
process.exitCode = count > 0 ? 1 : 0;

function trackedFiles(): string[] {
  const cwd = repositoryRoot;
  const list = execFileSync('git', ['ls-files', '-z', '--', ...extensions], { cwd, encoding: 'utf8' });
  return list.split('\0').filter((path) => path !== '');
}
