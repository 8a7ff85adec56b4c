import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);

/** The folders to which a path in ARCHITECTURE.md may be relative. */
const bases = ['', 'server/', 'server/src/'];

/** Paths in backquotes that end in a file name. Placeholders such as `<thing>.ts` do not match. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`([\w./-]+\.(?:ts|md|sql|json))`/g)].map(([, path]) => path as string);
}

async function exists(path: string): Promise<boolean> {
  for (const base of bases)
    if (
      await access(new URL(base + path, root)).then(
        () => true,
        () => false,
      )
    )
      return true;
  return false;
}

test('every file that ARCHITECTURE.md names exists', async () => {
  const paths = pathsIn(await readFile(new URL('ARCHITECTURE.md', root), 'utf8'));
  assert.ok(paths.length > 50, `only ${paths.length} paths were found`);
  const missing: string[] = [];
  for (const path of new Set(paths)) if (!(await exists(path))) missing.push(path);
  assert.deepEqual(missing, []);
});

test('the check finds a file that does not exist', async () => {
  assert.deepEqual(pathsIn('see `catalog/x.ts` and `<thing>.ts`'), ['catalog/x.ts']);
  assert.equal(await exists('catalog/x.ts'), false);
  assert.equal(await exists('catalog/operations.ts'), true);
});
