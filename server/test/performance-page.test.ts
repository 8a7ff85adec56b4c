import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { projectDir } from './support/server-process.ts';

// What a measured request goes through [D340]. The count has every commit that changes one of them, merges left out.
const measured = [
  'server/src/http/run-writes.ts',
  'server/src/http/write-*.ts',
  'server/src/http/execute-*.ts',
  'server/src/postgres',
  'server/src/access/authentication',
  'server/src/access/idempotency/*-store.ts',
  'server/src/catalog/**/*-store.ts',
  'server/src/analytics/store',
];
const mostCommits = 100;
const mostDays = 30;

interface PageAge {
  /** Commits since the measured one that change what is measured. */
  readonly commits: number;
  /** Days from the measured commit to the newest of them. */
  readonly days: number;
}

function ageSince(commit: string): PageAge {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: projectDir, encoding: 'utf8' }).trim();
  const paths = measured.map((path) => `:(glob)${path}${/\*|\.ts$/.test(path) ? '' : '/**'}`);
  const times = git('log', '--no-merges', '--format=%ct', `${commit}..HEAD`, '--', ...paths);
  const changes = times === '' ? [] : times.split('\n').map(Number);
  const from = Number(git('show', '--no-patch', '--format=%ct', commit));
  return { commits: changes.length, days: Math.max(0, ...changes.map((at) => (at - from) / 86_400)) };
}

function isTooOld({ commits, days }: PageAge): boolean {
  return commits > mostCommits || days > mostDays;
}

describe('docs/performance.md', () => {
  it('was measured on a commit after which little has changed', async () => {
    const page = await readFile(join(projectDir, 'docs/performance.md'), 'utf8');
    const [, commit = ''] = /^Measured on [\d-]+ at commit ([0-9a-f]+),/m.exec(page) ?? [];
    assert.notEqual(commit, '', 'the page names no commit of the repository without changes');
    const age = ageSince(commit);
    assert.ok(
      !isTooOld(age),
      `${age.commits} commits in ${Math.round(age.days)} days changed what the page measured: npm run bench -- --page docs/performance.md`,
    );
  });

  it('would be too old with the page of November 23', () => {
    const age = ageSince('c59a596b');
    assert.ok(isTooOld(age), JSON.stringify(age));
  });
});
