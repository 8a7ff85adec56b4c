import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { tryLockDatasets } from '../../../analytics/store/days-store.ts';
import { tryLockBrandFeeds } from '../feed-work-store.ts';

const { database } = await createTestApps();
const brandId = 7;

type TryLock = typeof tryLockBrandFeeds;

/** Returns whether the second lock is free while another transaction holds the first one. */
function isFreeDuring(first: TryLock, second: TryLock): Promise<boolean> {
  return database.transaction(async (holder) => {
    assert.ok(await first(holder, brandId), 'the first lock is free');
    return database.transaction((tx) => second(tx, brandId));
  });
}

// [D157]
describe('the locks of a brand for its feeds and its datasets', () => {
  it('exclude their own kind only', async () => {
    assert.equal(await isFreeDuring(tryLockBrandFeeds, tryLockBrandFeeds), false);
    assert.equal(await isFreeDuring(tryLockDatasets, tryLockDatasets), false);
    assert.equal(await isFreeDuring(tryLockBrandFeeds, tryLockDatasets), true);
    assert.equal(await isFreeDuring(tryLockDatasets, tryLockBrandFeeds), true);
    const other: TryLock = (tx) => tryLockBrandFeeds(tx, brandId + 1);
    assert.equal(await isFreeDuring(tryLockBrandFeeds, other), true);
  });
});
