import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promiseRows, withPromises } from './support/promises.ts';
import { projectDir } from './support/server-process.ts';

const page = await readFile(join(projectDir, 'docs/promises.md'), 'utf8');
const readme = await readFile(join(projectDir, 'README.md'), 'utf8');
/** The files of the suite, found as in `test/run.ts`. */
const suite = new Set(
  await Array.fromAsync(glob('{cli,client,console,extensions,server}/**/*.test.ts', { cwd: projectDir })),
);
const rows = promiseRows(page);

describe('docs/promises.md', () => {
  it('names every promise of the README, and no other as one of them', () => {
    const list = /Its promises[^\n]*\n\n([\s\S]*?)\n\n/.exec(readme)?.[1] ?? '';
    const promised = [...list.matchAll(/^- (\*\*[^*]+\*\*)/gm)].map(([, bold]) => bold);
    assert.ok(promised.length >= 4);
    assert.deepEqual(
      rows.map(({ promise }) => promise).filter((promise) => promise.startsWith('**')),
      promised,
    );
  });

  it('numbers them, and a number means the tests of its promise', () => {
    assert.deepEqual(
      rows.map(({ number }) => number),
      rows.map((_, index) => index + 1),
    );
    const [first, second] = rows;
    const args = ['--profile', '--promise', '2', 'x.test.ts', '--promise', '1'];
    const expanded = ['--profile', ...(second?.tests ?? []), 'x.test.ts', ...(first?.tests ?? [])];
    assert.deepEqual(
      withPromises(args, () => page),
      expanded,
    );
    assert.throws(() => withPromises(['--promise', '0'], () => page), /has no promise 0/);
    assert.throws(() => withPromises(['--promise'], () => page), /has no promise undefined/);
  });

  for (const { promise, tests } of rows)
    it(`names tests of the suite for: ${promise}`, () => {
      assert.ok(tests.length > 0);
      assert.deepEqual(
        tests.filter((path) => !suite.has(path)),
        [],
      );
    });
});
