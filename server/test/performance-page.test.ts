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
  /** Commits since the measured one that change what is measured; null in a clone without the measured one. */
  readonly commits: number | null;
  /** Days from the measured commit to the newest of them; without it, to the newest commit of all. */
  readonly days: number;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: projectDir, encoding: 'utf8', stdio: 'pipe' }).trim();
}

function isKnown(commit: string): boolean {
  try {
    git('merge-base', '--is-ancestor', commit, 'HEAD');
    return true;
  } catch {
    return false;
  }
}

function ageSince(commit: string, day: string): PageAge {
  const daysFrom = (from: number, to: number) => Math.max(0, (to - from) / 86_400);
  if (!isKnown(commit))
    return {
      commits: null,
      days: daysFrom(Date.parse(day) / 1000, Number(git('log', '-1', '--format=%ct'))),
    };
  const paths = measured.map((path) => `:(glob)${path}${/\*|\.ts$/.test(path) ? '' : '/**'}`);
  const times = git('log', '--no-merges', '--format=%ct', `${commit}..HEAD`, '--', ...paths);
  const changes = times === '' ? [] : times.split('\n').map(Number);
  const from = Number(git('show', '--no-patch', '--format=%ct', commit));
  return { commits: changes.length, days: Math.max(0, ...changes.map((at) => daysFrom(from, at))) };
}

function isTooOld({ commits, days }: PageAge): boolean {
  return (commits ?? 0) > mostCommits || days > mostDays;
}

describe('docs/performance.md', () => {
  it('was measured on a commit after which little has changed', async () => {
    const page = await readFile(join(projectDir, 'docs/performance.md'), 'utf8');
    const [, day = '', commit = ''] = /^Measured on ([\d-]+) at commit ([0-9a-f]+),/m.exec(page) ?? [];
    assert.notEqual(commit, '', 'the page names no commit of the repository without changes');
    const age = ageSince(commit, day);
    assert.ok(
      !isTooOld(age),
      `${age.commits} commits in ${Math.round(age.days)} days changed what the page measured: npm run bench -- --page docs/performance.md`,
    );
  });

  it('is too old after a hundred changes or a month, and by its date alone where the history is not known', () => {
    assert.deepEqual(
      [100, 101].map((commits) => isTooOld({ commits, days: 30 })),
      [false, true],
    );
    assert.ok(isTooOld({ commits: 1, days: 31 }));
    assert.ok(isTooOld(ageSince('0000000', '2026-10-01')));
  });
});
