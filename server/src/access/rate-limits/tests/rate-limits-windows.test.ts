// processes: waits for the end of windows
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { admitted, openLimits, places, read, times, until } from './rate-limit-places.ts';

for (const place of places) {
  describe(`windows of rate limits ${place.name}`, { skip: place.skip, concurrency: true }, () => {
    test('a request refused by its brand takes nothing from its key, nor opens its window', async (t) => {
      const windowMs = 2_000;
      const { limits, brandId } = await openLimits(
        t,
        place,
        { catalog_key_reads: 3, catalog_brand: 3 },
        windowMs,
      );
      const opened = Date.now();
      await times(3, () => limits.admitKey(read('first', brandId)));
      const brandEnd = Date.now() + windowMs;
      await until(opened + 700);
      // Would these open a window of the key, it would outlive that of the brand by about 700 ms.
      const refused = await times(50, () => limits.admitKey(read('second', brandId)));
      assert.ok(refused.every((decision) => decision?.deniedBy === 'catalog_brand'));

      await until(brandEnd);
      const decisions = await times(4, () => limits.admitKey(read('second', brandId)));
      assert.equal(admitted(decisions).length, 3);
    });

    // [platform-49]
    test('the window is fixed: it ends when its first request said, however many were refused in it', async (t) => {
      const { limits, brandId } = await openLimits(t, place, { address: 5 }, 2_000);
      const address = `192.0.2.${brandId}`;
      const before = Date.now();
      const first = await limits.admitAddress(address);
      assert.ok(first && first.resetAt * 1000 >= before + 2_000 && first.resetAt * 1000 < Date.now() + 3_000);
      while (Date.now() < before + 1_000) {
        const decision = await limits.admitAddress(address);
        assert.equal(decision?.resetAt, first.resetAt);
        await sleep(20);
      }
      await until(first.resetAt * 1000);
      assert.equal((await limits.admitAddress(address))?.remaining, 4);
    });

    // [platform-52]
    test('a client that waits exactly as told is admitted', async (t) => {
      const { limits, brandId } = await openLimits(
        t,
        place,
        { catalog_key_reads: 1, catalog_brand: 10 },
        1_000,
      );
      for (let round = 0; round < 2; round++) {
        assert.equal((await limits.admitKey(read('k', brandId)))?.retryAfterSeconds, 0);
        const denial = await limits.admitKey(read('k', brandId));
        const now = Date.now();
        assert.ok(denial?.deniedBy === 'catalog_key_reads' && denial.retryAfterSeconds === 1);
        assert.ok(Math.abs(denial.resetAt * 1000 - (now + 1_000)) <= 1_000, 'the two figures agree');
        await until(now + denial.retryAfterSeconds * 1000);
      }
    });

    test('a flood across many ends of windows never gets more than the limit in each', async (t) => {
      const windowMs = 100;
      const { limits, brandId } = await openLimits(
        t,
        place,
        { catalog_key_reads: 5, catalog_brand: 8 },
        windowMs,
      );
      const start = Date.now();
      const perKey = new Map<string, number>();
      await times(12, async (index) => {
        const keyId = `k${index % 3}`;
        while (Date.now() < start + 1_000) {
          const decision = await limits.admitKey(read(keyId, brandId));
          if (decision?.deniedBy === null) perKey.set(keyId, (perKey.get(keyId) ?? 0) + 1);
          await sleep(1);
        }
      });
      const windows = Math.floor((Date.now() - start) / windowMs) + 1;
      const total = [...perKey.values()].reduce((sum, count) => sum + count, 0);
      for (const count of perKey.values()) assert.ok(count <= 5 * windows, `${count} in ${windows} windows`);
      assert.ok(total <= 8 * windows, `${total} in ${windows} windows`);
      assert.ok(total > 8, 'more than one window was used');
    });
  });
}
