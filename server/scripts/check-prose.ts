import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { repositoryRoot } from './generated-files.ts';
import { findLongComments, findProseProblems, findResidue } from './prose.ts';

/** Part of `npm run check`: prints every banned wording and long comment of the repository and exits with 1 if there is one. */
const extensions = ['*.ts', '*.tsx', '*.md', '*.sql', '*.json', '*.yaml', '*.yml'];

/** Files that list the banned words, dumps of databases, and what is checked at its source. */
const exempt = [
  'CONTRIBUTING.md',
  'server/scripts/prose.ts',
  'server/scripts/tests/find-problems.test.ts',
  'server/database/tests/states/',
  'client/src/generated/',
  'server/schema.sql',
  'package-lock.json',
];

/** Where the last banned wordings may stand: migrations that were applied do not change. */
const pending = ['server/database/'];

let count = 0;
for (const path of trackedFiles()) {
  if (exempt.some((start) => path.startsWith(start))) continue;
  const text = readFileSync(new URL(path, repositoryRoot), 'utf8');
  const problems = findProseProblems(text);
  if (!pending.some((start) => path.startsWith(start)))
    problems.push(...findResidue(text), ...(/\.tsx?$/.test(path) ? findLongComments(text) : []));
  for (const { line, found, say } of problems) {
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
