import assert from 'node:assert/strict';
import { cp, mkdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { binariesIn, ensureLibraryLinks, findBinaries } from '../binaries.ts';
import { makeTestDir } from './embedded-postgres.ts';

test('a platform without binaries is named, with DATABASE_URL as the way out', () => {
  assert.throws(() => findBinaries('linux', 'riscv64'), {
    name: 'EmbeddedPostgresError',
    message: /linux-riscv64.*DATABASE_URL/,
  });
});

test('links between libraries that npm did not make are made, and those that are there stay', async (t) => {
  const dir = await makeTestDir(t);
  const root = join(dir, 'native');
  await mkdir(join(root, 'lib'), { recursive: true });
  await cp(join(findBinaries().root, 'pg-symlinks.json'), join(root, 'pg-symlinks.json'));
  await writeFile(join(root, 'lib', 'libpq.so'), 'there already');
  await ensureLibraryLinks(binariesIn(root));
  await ensureLibraryLinks(binariesIn(root));
  assert.match(await readlink(join(root, 'lib', 'libpq.so.5')), /^libpq\.so\.5\.\d+$/);
});
