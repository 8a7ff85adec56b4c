import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';

/**
 * Whatever emits `error` with nobody listening ends the process, and everybody's requests with it. So each file that
 * makes such a thing has to attach a listener that stays, and few files may make one.
 */
const emitters: readonly { readonly made: RegExp; readonly heard: RegExp }[] = [
  { made: /\bnew pg\.(Client|Pool)\(/, heard: /\bwatchForLoss\(/ },
  { made: /\bnew Worker\(/, heard: /\.on(ce)?\('error'/ },
  { made: /\b(spawn|fork)\(/, heard: /\.on\('error'/ },
  { made: /\bnew PgBoss\(/, heard: /\.on\('error'/ },
  { made: /\bcreateRedisWindowClient\(.*;$/m, heard: /\.on\('error'/ },
];

const sources = new URL('../src/', import.meta.url);

test('what emits errors is made only where a listener is attached', async () => {
  const paths = await Array.fromAsync(glob('**/*.ts', { cwd: sources.pathname }));
  const seen = new Set<RegExp>();
  for (const path of paths.filter((name) => !name.includes('tests/'))) {
    const text = await readFile(new URL(path, sources), 'utf8');
    for (const { made, heard } of emitters) {
      if (!made.test(text)) continue;
      seen.add(made);
      assert.match(text, heard, `${path} makes an emitter of errors and does not listen`);
    }
  }
  assert.equal(seen.size, emitters.length, 'each of them is made somewhere, or its entry has to go');
});
