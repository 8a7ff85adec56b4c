import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { openJobQueue } from '../../../jobs/job-queue.ts';
import { defaultKeep } from '../../../retention/policy-settings.ts';
import { applyFeed, reportOf } from '../../feeds/tests/feeds.ts';
import { newAxes, ok } from '../../tests/new-axes.ts';
import { adjust, adjusted, assertStockTrue, ledgerOf, newLocation, newSimple, stockOf } from './stock.ts';

const apps = await createTestApps({ runsJobs: true });
const queued = await createTestApps();
const hourMs = 3_600_000;

/** Produces the effect of setting the database's clock back by an hour: everything written is dated ahead. */
async function setDatabaseClockBack(brandId: number): Promise<void> {
  await apps.sql(
    `update stock_levels set source_updated_at = source_updated_at + interval '1 hour',
       updated_at = updated_at + interval '1 hour' where brand_id = $1`,
    [brandId],
  );
  await apps.sql(`update products set updated_at = updated_at + interval '1 hour' where brand_id = $1`, [
    brandId,
  ]);
  await apps.sql(
    `update brand_catalogs set changed_at = changed_at + interval '1 hour' where brand_id = $1`,
    [brandId],
  );
}

describe('after the clock of the database was set back by an hour', () => {
  // [D60]
  it('levels that were adjusted by hand can be adjusted again, and their times never go back', async () => {
    const { client, brandId } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    await adjusted(client, tu_id, { quantity: 5 });
    await setDatabaseClockBack(brandId);
    const [before] = (await stockOf(client, tu_id)).levels;
    for (const quantity of [6, 6, 7]) {
      const { level } = await adjusted(client, tu_id, { quantity });
      assert.equal(level.source_updated_at, before.source_updated_at);
    }
    const ledger = await ledgerOf(client, tu_id);
    assert.deepEqual(
      ledger.map((movement: { quantity_after: number }) => movement.quantity_after),
      [5, 6, 7],
    );
    await assertStockTrue(apps);
  });

  it('a level that a feed dated ahead still refuses adjustments', async () => {
    const { client, brandId } = await apps.newBrand();
    const { sku, tu_id } = await newSimple(client);
    await newLocation(client, 'L');
    assert.deepEqual(await applyFeed(client, [{ sku, location_code: 'L', quantity: 1 }]), ['applied']);
    await adjusted(client, tu_id, { location: 'L', quantity: 2 });
    const ahead = new Date(Date.now() + hourMs).toISOString();
    assert.deepEqual(await applyFeed(client, [{ sku, location_code: 'L', quantity: 3, updated_at: ahead }]), [
      'applied',
    ]);
    assertRefused(await adjust(client, tu_id, { location: 'L', quantity: 4 }), 'rejected_stale');
    assert.equal((await stockOf(client, tu_id)).levels[0].quantity, 3);
    await setDatabaseClockBack(brandId);
    assertRefused(await adjust(client, tu_id, { location: 'L', quantity: 4 }), 'rejected_stale');
  });

  it('changes of products are stamped later than all before, so that polling misses nothing', async () => {
    const { client, brandId } = await apps.newBrand();
    const first = await newSimple(client);
    const second = await newSimple(client);
    await setDatabaseClockBack(brandId);
    const seen = await ok(client.get('/catalog/products?sort=-updated_at'));
    const last = seen.data[0].updated_at;
    await ok(client.patch(`/catalog/products/${first.tu_id}`, { title: 'Changed' }));
    await ok(client.patch(`/catalog/products/${second.tu_id}`, { title: 'Changed' }));
    const { data } = await ok(client.get(`/catalog/products?sort=updated_at&updated_since=${last}`));
    const changed = data.filter(({ updated_at }: { updated_at: string }) => updated_at > last);
    assert.deepEqual(
      changed.map(({ tu_id }: { tu_id: string }) => tu_id),
      [first.tu_id, second.tu_id],
    );
  });

  it('axes, their values and locations keep their later times when they are changed', async () => {
    const { client, brandId } = await apps.newBrand();
    await newAxes(client, { color: ['red'] });
    await newLocation(client, 'WH');
    for (const table of ['axes', 'axis_values', 'stock_locations'])
      await apps.sql(`update ${table} set updated_at = updated_at + interval '1 hour' where brand_id = $1`, [
        brandId,
      ]);
    const [axis] = (await ok(client.get('/catalog/axes'))).data;
    const [location] = (await ok(client.get('/catalog/stock/locations'))).data;
    for (const [path, before] of [
      ['/catalog/axes/color', axis],
      ['/catalog/axes/color/values/red', axis.values[0]],
      ['/catalog/stock/locations/WH', location],
    ]) {
      const after = await ok(client.patch(path, { is_active: false }));
      assert.deepEqual([after.is_active, after.updated_at], [false, before.updated_at]);
    }
  });

  it('feeds that were received earlier are still applied', async () => {
    const { client, brandId } = await queued.newBrand();
    const { sku } = await newSimple(client, 'WAITING');
    await newLocation(client, 'L');
    const feed = await client.create('/catalog/stock/feeds', {
      source: 'test',
      mode: 'snapshot',
      lines: [{ sku, location_code: 'L', quantity: 8 }],
    });
    assert.equal(feed.status, 202);
    await queued.sql(
      `update stock_feeds set received_at = received_at + interval '1 hour' where brand_id = $1`,
      [brandId],
    );
    // The queue would not start the job for an hour.
    await queued.sql(
      `update pgboss.job set start_after = start_after + interval '1 hour', created_on = created_on + interval '1 hour'`,
    );
    const observer = { feedFinished: () => {}, chunkFailed: () => {} };
    const jobs = await openJobQueue(queued.database, { info: () => {}, error: () => {} }, true);
    queued.beforeClose(() => jobs.stop(5_000));
    await jobs.work({ ...queued.context, jobs, feeds: observer, retention: { keep: defaultKeep } });
    const report = await reportOf(client, feed.json.feed_id);
    assert.equal(report.totals.applied, 1, JSON.stringify(report));
  });
});

describe('after the clock of a process jumped by an hour', () => {
  for (const [name, jump] of [
    ['back', -hourMs],
    ['ahead', hourMs],
  ] as const)
    it(`${name}: retries are replayed, and keys work`, async () => {
      const { client, apiKey } = await apps.newBrand();
      const headers = { 'idempotency-key': `jump-${name}` };
      const first = await client.post('/catalog/products', { sku: 'ONCE' }, headers);
      assert.equal(first.status, 201);
      apps.clock.advance(jump);
      const again = await client.post('/catalog/products', { sku: 'ONCE' }, headers);
      assert.deepEqual(
        [again.status, again.text, again.headers['idempotency-replayed']],
        [201, first.text, 'true'],
      );
      assert.equal((await apps.clientWith(apiKey).get('/catalog/products')).json.meta.total, 1);
      // A record that was dated ahead is found after the clock is corrected.
      const ahead = await client.post(
        '/catalog/products',
        { sku: 'TWICE' },
        { 'idempotency-key': `other-${name}` },
      );
      apps.clock.advance(-jump);
      const later = await client.post(
        '/catalog/products',
        { sku: 'TWICE' },
        { 'idempotency-key': `other-${name}` },
      );
      assert.deepEqual([later.text, later.headers['idempotency-replayed']], [ahead.text, 'true']);
    });
});
