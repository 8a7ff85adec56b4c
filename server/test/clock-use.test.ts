import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { it } from 'node:test';

const sources = new URL('../src/', import.meta.url);

/** Where the wall clock may be read directly: next to Redis or a library that reads it too, for a `Date` header, the Clock. */
const readers = [
  '../../extensions/openid-connect/src/identity-provider.ts',
  'access/rate-limits/window-counter.ts',
  'http/unreadable-requests.ts',
  'lib/clock.ts',
];

/** Calls that depend on the time zone of the process. */
const local =
  /\.(getFullYear|getMonth|getDate|getDay|getHours|getMinutes|getTimezoneOffset|setHours|setDate|toLocale\w*String|toDateString)\(|new Date\([^()]+,/;

async function findSources(matches: (text: string) => boolean): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob(['**/*.ts', '../../extensions/*/src/**/*.ts'], { cwd: sources.pathname })) {
    if (path.includes('tests/')) continue;
    if (matches(await readFile(new URL(path, sources), 'utf8'))) found.push(path);
  }
  return found.sort();
}

// [D60]
it('the wall clock is read through the Clock only: limits and deadlines use the monotonic one', async () => {
  assert.deepEqual(await findSources((text) => /Date\.now\(|new Date\(\)/.test(text)), readers);
});

it('nothing is computed in the time zone of the process', async () => {
  assert.deepEqual(await findSources((text) => local.test(text)), []);
});
