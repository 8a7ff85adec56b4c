// processes: waits for the intervals of log lines
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { Outage } from '../outage.ts';

it('an outage has a line when it begins, one at each interval, and one when it is over', async () => {
  const lines: string[] = [];
  let isUp = false;
  const outage = new Outage({
    name: 'database',
    log: (level, message) => lines.push(`${level}: ${message.replaceAll(/\d+/g, 'N')}`),
    probe: async () => isUp,
    repeatMs: 1_500,
  });
  const failing = setInterval(() => outage.failed(new Error('refused')), 10);
  await waitFor('three lines', () => lines.length === 3, 10_000).finally(() => clearInterval(failing));
  isUp = true;
  await waitFor('the last line', () => lines.length === 4, 10_000);
  // A failure that was under way is no news.
  outage.failed(new Error('refused'));
  outage.close();
  assert.deepEqual(lines, [
    'error: database unreachable: refused',
    'error: database still unreachable after N s',
    'error: database still unreachable after N s',
    'info: database reachable again after N s, N failed attempts',
  ]);
});

it('failures while the database responds have one line a minute, with their number', async () => {
  const lines: string[] = [];
  const outage = new Outage({
    name: 'database',
    log: (level, message) => lines.push(`${level}: ${message}`),
    probe: async () => true,
    repeatMs: 200,
  });
  for (let n = 0; n < 20; n += 1) outage.failed(new Error('terminated'));
  await waitFor('the line', () => lines.length > 0);
  for (let n = 0; n < 3; n += 1) {
    outage.failed(new Error('reset'));
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(lines, ['warn: database responds after 20 failed attempts: terminated']);
  await new Promise((resolve) => setTimeout(resolve, 250));
  outage.failed(new Error('reset'));
  await waitFor('the next line', () => lines.length > 1);
  assert.equal(lines[1], 'warn: database responds after 4 failed attempts: reset');
});
