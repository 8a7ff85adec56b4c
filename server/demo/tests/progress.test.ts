import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProgress } from '../progress.ts';
import { collectOutput } from './demo.ts';

test('without a terminal a step prints plain lines: one every ten seconds, with the wait, and one at the end', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { output, text } = collectOutput();
  const progress = startProgress(output, 'create', 200);
  progress.update(60);
  progress.note('waiting 50 s');
  t.mock.timers.tick(10_000);
  progress.update(61);
  t.mock.timers.tick(10_000);
  progress.update(200);
  progress.end();
  t.mock.timers.tick(60_000);
  const lines = text()
    .replaceAll(/ +\d+\.\d s/g, '')
    .split('\n');
  assert.deepEqual(
    lines.map((line) => line.trim().replaceAll(/ +/g, ' ')),
    ['create 60/200 waiting 50 s', 'create 61/200', 'create 200/200', ''],
  );
});
