import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';

/**
 * An `error` event without a listener ends the process and all its requests. So each file that creates an emitter must
 * attach a permanent listener, and few files may create one.
 */
const emitters: readonly { readonly made: RegExp; readonly heard: RegExp }[] = [
  { made: /\b(new pg\.Client\(|extends pg\.Client\b)/, heard: /\bwatchForLoss\(/ },
  { made: /\bnew pg\.Pool\(/, heard: /\.on\('error'/ },
  { made: /\bnew Worker\(/, heard: /\.on(ce)?\('error'/ },
  { made: /\b(spawn|fork)\(/, heard: /\.on\('error'/ },
  { made: /\bnew PgBoss\(/, heard: /\.on\('error'/ },
  { made: /= createClient\(\{/, heard: /\.on\('error'/ },
];

const sources = new URL('../src/', import.meta.url);

test('what emits errors is made only where a listener is attached', async () => {
  const paths = await Array.fromAsync(
    glob(['**/*.ts', '../../extensions/*/src/**/*.ts'], { cwd: sources.pathname }),
  );
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
