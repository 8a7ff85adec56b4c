import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { projectDir } from './support/server-process.ts';

interface Row {
  readonly promise: string;
  /** Paths from the project's directory. */
  readonly linked: readonly string[];
  readonly command: string;
}

const page = await readFile(join(projectDir, 'docs/promises.md'), 'utf8');
const readme = await readFile(join(projectDir, 'README.md'), 'utf8');
/** The files of the suite, found as in `test/run.ts`. */
const suite = new Set(
  await Array.fromAsync(glob('{cli,client,console,extensions,server}/**/*.test.ts', { cwd: projectDir })),
);
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| promise |'))
  .map((line): Row => {
    const [, promise = '', tests = '', command = ''] = line.split('|').map((cell) => cell.trim());
    return {
      promise,
      linked: [...tests.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, path]) => path as string),
      command,
    };
  });

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

  for (const { promise, linked, command } of rows) {
    it(`names tests of the suite for: ${promise}`, () => {
      assert.ok(linked.length > 0);
      assert.deepEqual(
        linked.filter((path) => !suite.has(path)),
        [],
      );
    });

    it(`has the command that runs them for: ${promise}`, () => {
      assert.equal(command, `\`npm test -- ${linked.join(' ')}\``);
    });
  }
});
