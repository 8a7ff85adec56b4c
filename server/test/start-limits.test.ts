import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Returns the options of Node and the number of malloc arenas that a file sets. */
function limitsOf(text: string) {
  const option = (name: string) => new RegExp(`--${name}=(\\d+)`).exec(text)?.[1];
  return {
    youngMb: option('max-semi-space-size'),
    oldMb: option('max-old-space-size'),
    arenas: /MALLOC_ARENA_MAX(?:=\$\{MALLOC_ARENA_MAX:-| \?\?= '|=)(\d+)/.exec(text)?.[1],
  };
}

test('every way to start the server limits its memory alike [D36]', async () => {
  const { scripts } = JSON.parse(await read('package.json'));
  const wanted = { youngMb: '16', oldMb: '1024', arenas: '1' };
  assert.deepEqual(limitsOf(scripts.start), wanted);
  for (const path of [
    'server/bin/brandport.js',
    'deploy/Dockerfile',
    'deploy/systemd/brandport@.service',
    'server/test/e2e/hostile-load.test.ts',
  ])
    assert.deepEqual(
      limitsOf((await read(path)).replace("MALLOC_ARENA_MAX: '1'", 'MALLOC_ARENA_MAX=1')),
      wanted,
      path,
    );
});
