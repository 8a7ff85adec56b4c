import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { excerptDir, missingFiles } from '../data-files.ts';
import { dataSets } from '../data-sets/index.ts';
import { describeOrigins } from '../data-sets/origins.ts';
import { examine } from '../doctor.ts';
import { differencesOf, startDemoUnderTest } from './demo.ts';

const found = dataSets.filter((dataSet) => missingFiles(excerptDir, [dataSet]).length === 0);

test('the excerpts run from end to end without a difference, and the doctor finds nothing', async () => {
  const { run, server } = await startDemoUnderTest();
  const results = await run(found, { dataDir: excerptDir });
  assert.deepEqual(differencesOf(results), []);
  for (const [dataSet, step, records] of [
    ['open-filament-database', 'create', 60],
    ['commercetools-sunrise', 'create variants', 34],
    ['commercetools-sunrise', 'read reports', 184],
    ['spoolmandb', 'refuse above 500', 1],
  ] as const)
    assert.equal(results.find((one) => one.dataSet === dataSet && one.name === step)?.records, records, step);
  const events = results.find(({ dataSet, name }) => dataSet === 'oulad' && name === 'events');
  assert.ok((events?.records ?? 0) > 500);
  const { isSound, text } = await examine(server, new AbortController().signal);
  assert.ok(isSound, text);
});

test('every excerpt has its row in the notice, and its licence next to it where the licence asks for that', () => {
  const notice = readFileSync(join(excerptDir, 'NOTICE.md'), 'utf8');
  const folders = readdirSync(excerptDir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(folders.map(({ name }) => name).sort(), found.map(({ name }) => name).sort());
  for (const { name } of folders) {
    const row = notice.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
    assert.notEqual(row, '', name);
    if (row.includes('LICENSE.txt'))
      assert.ok(readFileSync(join(excerptDir, name, 'LICENSE.txt')).length > 500);
  }
});

test('every data set says where it is published, under which licence and how large it is', () => {
  for (const { name, files } of dataSets) {
    const text = describeOrigins([name]);
    assert.match(text, /from: +https:\/\/\S+/, name);
    assert.match(text, /licence: +\S/, name);
    assert.match(text, /\([\d.]+ [KM]B\)$/m, name);
    for (const file of files.filter((one) => !one.startsWith('Moodle_')))
      assert.ok(text.includes(file), file);
  }
});
