import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KeyRequest } from '../rate-limits.ts';
import { admitted, nextBrand, openLimits, places, read, times, until } from './rate-limit-places.ts';

for (const place of places) {
  describe(`rate limits ${place.name}`, { skip: place.skip, concurrency: true }, () => {
    test('of 1,000 parallel requests exactly the limit is admitted, and each number left is reported once', async (t) => {
      const { limits, brandId } = await openLimits(t, place, { catalog_key_reads: 300, catalog_brand: 600 });
      const decisions = await times(1_000, () => limits.admitKey(read('k', brandId)));

      const left = admitted(decisions).map((decision) => decision?.remaining);
      assert.deepEqual(
        left.sort((a = 0, b = 0) => a - b),
        Array.from({ length: 300 }, (_, index) => index),
      );
      assert.equal(new Set(decisions.map((decision) => decision?.resetAt)).size, 1);
      for (const denial of decisions.filter((decision) => decision?.deniedBy !== null)) {
        assert.equal(denial?.deniedBy, 'catalog_key_reads');
        assert.equal(denial?.limit, 300);
        assert.equal(denial?.remaining, 0);
      }
    });

    test('of 1,000 parallel requests of ten keys exactly the limit of the brand is admitted', async (t) => {
      const { limits, brandId } = await openLimits(t, place, { catalog_key_reads: 300, catalog_brand: 600 });
      const decisions = await times(1_000, (index) => limits.admitKey(read(`k${index % 10}`, brandId)));
      assert.equal(admitted(decisions).length, 600);
    });

    // [platform-47]
    test('reads and writes have separate buckets and share that of the brand', async (t) => {
      const { limits, brandId } = await openLimits(t, place, {
        catalog_key_reads: 2,
        catalog_key_writes: 1,
        catalog_brand: 4,
      });
      const write = { ...read('k', brandId), isRead: false };
      assert.equal((await limits.admitKey(write))?.limit, 1);
      assert.equal((await limits.admitKey(write))?.deniedBy, 'catalog_key_writes');
      assert.equal((await limits.admitKey(read('k', brandId)))?.remaining, 1);
      assert.equal((await limits.admitKey(read('k', brandId)))?.remaining, 0);
      assert.equal((await limits.admitKey(read('k', brandId)))?.deniedBy, 'catalog_key_reads');
      const other = await limits.admitKey(read('other', brandId));
      assert.deepEqual([other?.limit, other?.remaining], [4, 0]);
      assert.equal((await limits.admitKey(read('other', brandId)))?.deniedBy, 'catalog_brand');
    });

    // [platform-48]
    test('the analytics domain counts independently of the catalog', async (t) => {
      const { limits, brandId } = await openLimits(t, place, {
        catalog_key_reads: 1,
        catalog_brand: 1,
        analytics_key: 2,
        analytics_brand: 3,
      });
      const metrics = (keyId: string): KeyRequest => ({ ...read(keyId, brandId), domain: 'analytics' });
      await limits.admitKey(read('k', brandId));
      assert.equal((await limits.admitKey(metrics('k')))?.remaining, 1);
      assert.equal((await limits.admitKey({ ...metrics('k'), isRead: false }))?.remaining, 0);
      assert.equal((await limits.admitKey(metrics('k')))?.deniedBy, 'analytics_key');
      assert.equal((await limits.admitKey(metrics('k2')))?.remaining, 0);
      assert.equal((await limits.admitKey(metrics('k2')))?.deniedBy, 'analytics_brand');
    });

    test('brands and keys of other brands are not touched', async (t) => {
      const { limits, brandId } = await openLimits(t, place, { catalog_key_reads: 1, catalog_brand: 1 });
      assert.equal((await limits.admitKey(read('k', brandId)))?.deniedBy, null);
      assert.equal((await limits.admitKey(read('k', nextBrand())))?.deniedBy, null);
    });

    // [platform-53]
    test('a request refused by its key takes nothing from its brand', async (t) => {
      const { limits, brandId } = await openLimits(t, place, { catalog_key_reads: 2, catalog_brand: 5 });
      await times(50, () => limits.admitKey(read('greedy', brandId)));
      const rest = await times(10, (index) => limits.admitKey(read(`k${index}`, brandId)));
      assert.equal(admitted(rest).length, 3);
    });

    test('of two buckets with as many left, the one that resets later is reported', async (t) => {
      const { limits, brandId } = await openLimits(t, place, { catalog_key_reads: 2, catalog_brand: 3 });
      await limits.admitKey(read('first', brandId));
      await until(Date.now() + 5);
      assert.equal((await limits.admitKey(read('second', brandId)))?.limit, 2);
    });

    test('with both buckets empty the one that resets later refuses', async (t) => {
      const { limits, brandId } = await openLimits(t, place, { catalog_key_reads: 1, catalog_brand: 2 });
      await limits.admitKey(read('first', brandId));
      await until(Date.now() + 5);
      await limits.admitKey(read('second', brandId));
      assert.equal((await limits.admitKey(read('second', brandId)))?.deniedBy, 'catalog_key_reads');
      assert.equal((await limits.admitKey(read('third', brandId)))?.deniedBy, 'catalog_brand');
    });

    // [platform-84]
    test('addresses have a bucket each, those of one IPv6 /64 the same', async (t) => {
      const { limits, brandId } = await openLimits(t, place, { address: 1 });
      const prefix = `2001:db8:${brandId}`;
      const address = `${prefix}:1::1`;
      assert.equal((await limits.admitAddress(address))?.remaining, 0);
      const denial = await limits.admitAddress(address);
      assert.equal(denial?.deniedBy, 'address');
      assert.ok(denial.retryAfterSeconds >= 50 && denial.retryAfterSeconds <= 60);
      assert.equal((await limits.admitAddress(`${prefix}:1::2`))?.deniedBy, 'address');
      assert.equal((await limits.admitAddress(`${prefix}:2::1`))?.deniedBy, null);
    });

    // [platform-46]
    test('a limit of 0 leaves its bucket out, and without a bucket there is no figure', async (t) => {
      const { limits, brandId } = await openLimits(t, place, { catalog_brand: 2 });
      assert.deepEqual((await limits.admitKey(read('k', brandId)))?.limit, 2);
      assert.equal(await limits.admitKey({ ...read('k', brandId), domain: 'analytics' }), null);
      assert.equal(await limits.admitAddress('192.0.2.1'), null);
    });
  });
}
