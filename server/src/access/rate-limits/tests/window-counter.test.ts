import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { createMemoryWindowCounter, decideRate, type NamedBucket } from '../window-counter.ts';

const key: NamedBucket = { name: 'catalog_key_reads', key: 'k', limit: 300 };
const brand: NamedBucket = { name: 'catalog_brand', key: 'b', limit: 600 };

// [platform-51]
test('the bucket with the fewest requests left is reported, regardless of its limit', () => {
  const windows = [
    { used: 10, endsAt: 70_000 },
    { used: 590, endsAt: 65_000 },
  ];
  assert.deepEqual(decideRate([key, brand], { admitted: true, now: 10_000, windows }), {
    deniedBy: null,
    limit: 600,
    remaining: 10,
    resetAt: 65,
    retryAfterSeconds: 0,
  });
});

// [platform-51]
test('of two buckets with as many left, the one that resets later is reported', () => {
  const tie = (keyEnd: number, brandEnd: number) =>
    decideRate([key, brand], {
      admitted: true,
      now: 0,
      windows: [
        { used: 200, endsAt: keyEnd },
        { used: 500, endsAt: brandEnd },
      ],
    });
  assert.equal(tie(50_000, 50_001).limit, 600);
  assert.equal(tie(50_001, 50_000).limit, 300);
});

test('a denial names the empty bucket, and of two empty ones the one that resets later', () => {
  const denial = (keyUsed: number, brandUsed: number, keyEnd: number, brandEnd: number) =>
    decideRate([key, brand], {
      admitted: false,
      now: 0,
      windows: [
        { used: keyUsed, endsAt: keyEnd },
        { used: brandUsed, endsAt: brandEnd },
      ],
    }).deniedBy;
  assert.equal(denial(300, 599, 1_000, 60_000), 'catalog_key_reads');
  assert.equal(denial(299, 600, 60_000, 1_000), 'catalog_brand');
  assert.equal(denial(300, 600, 1_000, 2_000), 'catalog_brand');
  assert.equal(denial(300, 600, 2_000, 1_000), 'catalog_key_reads');
});

test('a limit lowered below what was counted already leaves none, not a negative number', () => {
  const windows = [{ used: 500, endsAt: 1_000 }];
  assert.equal(decideRate([key], { admitted: false, now: 0, windows }).remaining, 0);
});

test('waiting as told always reaches the end of the window, and overshoots it by less than a second', () => {
  const instant = fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 });
  fc.assert(
    fc.property(instant, fc.integer({ min: 1, max: 60_000 }), (now, msLeft) => {
      const endsAt = now + msLeft;
      const decision = decideRate([key], { admitted: false, now, windows: [{ used: 300, endsAt }] });
      const waitedUntil = now + decision.retryAfterSeconds * 1000;
      assert.ok(waitedUntil >= endsAt && waitedUntil < endsAt + 1000);
      assert.ok(decision.resetAt * 1000 >= endsAt && decision.resetAt * 1000 < endsAt + 1000);
      assert.ok(decision.retryAfterSeconds >= 1 && decision.retryAfterSeconds <= 60);
    }),
  );
});

test('a verdict that does not fit its buckets is refused', () => {
  assert.throws(() => decideRate([], { admitted: true, now: 0, windows: [] }), RangeError);
  assert.throws(() => decideRate([key], { admitted: true, now: 0, windows: [] }), RangeError);
});

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
