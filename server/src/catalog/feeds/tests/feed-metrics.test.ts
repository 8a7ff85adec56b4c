import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { addProducts, reportOf, sendFeed } from './feeds.ts';

const line = { sku: 'A', location_code: 'L', quantity: 1 };

async function figure(
  apps: Awaited<ReturnType<typeof createTestApps>>,
  name: string,
): Promise<string | undefined> {
  const { statusCode, body } = await apps.internalApp.inject({ url: '/metrics' });
  assert.equal(statusCode, 200);
  return body
    .split('\n')
    .find((text) => text.startsWith(`${name} `))
    ?.slice(name.length + 1);
}

it('the age of the oldest feed that is not finished is reported, over all brands', async () => {
  const apps = await createTestApps();
  const age = async () => Number(await figure(apps, 'brandport_stock_feed_oldest_age_seconds'));
  assert.equal(await age(), 0);
  for (const _ of [1, 2]) await sendFeed((await apps.newBrand()).client, [line]);
  await apps.sql(
    `update stock_feeds set received_at = now() - interval '1 hour' where id = (select max(id) from stock_feeds)`,
  );
  assert.ok(Math.abs((await age()) - 3_600) < 60);
  await apps.sql(`update stock_feeds set status = 'failed', finished_at = now()`);
  assert.equal(await age(), 0);
});

it('finished feeds are counted by status, and their lines by result', async () => {
  const apps = await createTestApps({ runsJobs: true });
  const { client, brandId } = await apps.newBrand();
  await addProducts(apps, brandId, ['A']);
  for (const _ of [1, 2]) {
    const { json } = await sendFeed(client, [line, line, { ...line, sku: 'X' }]);
    await reportOf(client, json.feed_id);
  }
  assert.equal(await figure(apps, 'brandport_stock_feeds_finished_total{status="completed"}'), '2');
  const lines = (result: string) => figure(apps, `brandport_stock_feed_lines_total{result="${result}"}`);
  assert.equal(await lines('superseded'), '2');
  assert.equal(await lines('unknown_location'), '2');
  assert.equal(await lines('unknown_sku'), '2');
  assert.equal(await lines('applied'), undefined);
});

it('an unavailable database leaves the other metrics readable', async () => {
  const apps = await createTestApps();
  await apps.sql('alter table stock_feeds rename to stock_feeds_away');
  assert.match(String(await figure(apps, 'brandport_stock_feed_oldest_age_seconds')), /nan/i);
  assert.notEqual(await figure(apps, 'brandport_pool_waiting{kind="reads"}'), undefined);
  await apps.sql('alter table stock_feeds_away rename to stock_feeds');
  assert.equal(await figure(apps, 'brandport_stock_feed_oldest_age_seconds'), '0');
});
