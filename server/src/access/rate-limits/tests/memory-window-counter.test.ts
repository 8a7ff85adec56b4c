import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMemoryWindowCounter } from '../window-counter.ts';

test('windows that ended are forgotten, so that memory is bounded by what one window meets', async () => {
  const counter = createMemoryWindowCounter(100);
  for (let index = 0; index < 1_000; index++) await counter.take([{ key: `address-${index}`, limit: 1 }]);
  assert.ok(counter.countWindows() > 0);
  const limit = Date.now() + 5_000;
  while (counter.countWindows() > 0 && Date.now() < limit) await sleep(10);
  assert.equal(counter.countWindows(), 0);
});

test('a refused request of a bucket not met before leaves nothing in memory', async () => {
  const counter = createMemoryWindowCounter(60_000);
  await counter.take([{ key: 'brand', limit: 1 }]);
  for (let index = 0; index < 10; index++) {
    const verdict = await counter.take([
      { key: `key-${index}`, limit: 1 },
      { key: 'brand', limit: 1 },
    ]);
    assert.equal(verdict.admitted, false);
  }
  assert.equal(counter.countWindows(), 1);
});

test('a clock that is set back neither lengthens the wait told nor gives requests away', async (t) => {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 1_800_000_000_000 });
  const counter = createMemoryWindowCounter(60_000);
  const bucket = [{ key: 'k', limit: 1 }];
  await counter.take(bucket);
  t.mock.timers.setTime(1_800_000_000_000 - 3_600_000);
  const verdict = await counter.take(bucket);
  assert.equal(verdict.admitted, false);
  assert.equal((verdict.windows[0]?.endsAt ?? 0) - verdict.now, 60_000);
});

test('a clock that jumps ahead ends the window, and the figures stay within one', async (t) => {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 1_800_000_000_000 });
  const counter = createMemoryWindowCounter(60_000);
  const bucket = [{ key: 'k', limit: 1 }];
  await counter.take(bucket);
  t.mock.timers.setTime(1_800_000_000_000 + 3_600_000);
  const verdict = await counter.take(bucket);
  assert.equal(verdict.admitted, true);
  assert.equal((verdict.windows[0]?.endsAt ?? 0) - verdict.now, 60_000);
  assert.equal((await counter.take(bucket)).admitted, false);
});
