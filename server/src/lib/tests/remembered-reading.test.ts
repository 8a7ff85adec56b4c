import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RememberedReading } from '../../serve/observe-server.ts';

describe('a remembered reading', () => {
  it('is read once by any number of readers, and again after its lifetime', async () => {
    let reads = 0;
    const reading = new RememberedReading({
      read: async () => {
        reads += 1;
        return reads;
      },
      lifetimeMs: 3_600_000,
      waitMs: 5_000,
    });
    assert.deepEqual(await Promise.all([reading.get(), reading.get()]), [1, 1]);
    assert.equal(await reading.get(), 1);
    const brief = new RememberedReading({ read: async () => (reads += 1), lifetimeMs: 0, waitMs: 5_000 });
    assert.deepEqual([await brief.get(), await brief.get()], [2, 3]);
  });

  it('is null after a failure, and while there is none in time; a slow one is read by one reader only', async () => {
    const failing = new RememberedReading({
      read: () => Promise.reject(new Error('away')),
      lifetimeMs: 0,
      waitMs: 5_000,
    });
    assert.equal(await failing.get(), null);
    let reads = 0;
    const { promise, resolve } = Promise.withResolvers<string>();
    const slow = new RememberedReading({
      read: () => {
        reads += 1;
        return promise;
      },
      lifetimeMs: 3_600_000,
      waitMs: 5,
    });
    assert.deepEqual([await slow.get(), await slow.get(), reads], [null, null, 1]);
    resolve('late');
    await promise;
    assert.equal(await slow.get(), 'late');
  });
});
