// processes, alone: waits for retries, and for feeds that lost their job
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { ok } from '../../tests/new-axes.ts';
import { addProducts, assertFeedsTrue, assertTotalsAddUp, levelsOf, reportOf, sendFeed } from './feeds.ts';

const apps = await createTestApps({ runsJobs: true });
const { client, brandId } = await apps.newBrand();
await ok(client.post('/catalog/stock/locations', { external_code: 'L' }), 201);
const skus = Array.from({ length: 2_500 }, (_, index) => `S${index}`);
await addProducts(apps, brandId, skus);
let quantity = 0;

function freshLines() {
  quantity += 1;
  return skus.map((sku) => ({ sku, location_code: 'L', quantity }));
}

/** Makes the database refuse the movement of one SKU, in the given way, for a number of times. */
async function spoil(sku: string, sqlState: string, times: number): Promise<void> {
  await apps.sql('drop sequence if exists spoiled');
  await apps.sql('create sequence spoiled');
  await apps.sql(
    `create or replace function spoil() returns trigger language plpgsql as $$
     begin
       if new.sku = '${sku}' and nextval('spoiled') <= ${times} then
         raise exception 'spoiled by a test' using errcode = '${sqlState}';
       end if;
       return new;
     end $$`,
  );
  await apps.sql(
    'create or replace trigger spoil before insert on stock_movements for each row execute function spoil()',
  );
}

beforeEach(() => apps.sql('drop trigger if exists spoil on stock_movements'));

describe('a chunk that cannot be applied', () => {
  // [catalog-111]
  it('is tried five times; then its feed has failed with the reason, and the next one is applied', async () => {
    await spoil('S1500', '23514', 1_000_000);
    const lines = freshLines();
    const first = await sendFeed(client, lines);
    const second = await sendFeed(client, [{ sku: 'S0', location_code: 'L', quantity: 999 }]);
    const report = await reportOf(client, first.json.feed_id);
    assert.equal(report.status, 'failed');
    const { applied } = report.totals;
    assert.ok(applied > 500 && applied <= 1_500, `${applied} lines were applied`);
    assert.match(report.message, new RegExp(`number ${applied + 1} on`));
    assert.notEqual(report.finished_at, null);
    assert.deepEqual(report.totals, { received: 2_500, applied }, 'what was committed before stays');
    assert.equal((await reportOf(client, second.json.feed_id)).status, 'completed');
    const levels = await levelsOf(apps, brandId);
    assert.deepEqual(
      [levels.get('S0@L')?.quantity, levels.get('S500@L')?.quantity, levels.get('S1500@L')],
      [999, quantity, undefined],
    );
    assert.equal((await apps.sql('select last_value from spoiled'))[0]?.['last_value'], 5);
    await assertFeedsTrue(apps);
  });

  it('leaves undecided lines without a result, and the log reports the failure', async () => {
    await spoil('S0', '22003', 1_000_000);
    const { json } = await sendFeed(client, freshLines());
    const report = await reportOf(client, json.feed_id);
    assert.deepEqual([report.status, report.totals], ['failed', { received: 2_500 }]);
    assert.deepEqual(
      new Set(report.lines.data.map((line: { result: unknown }) => line.result)),
      new Set([null]),
    );
    assert.ok(!report.message.includes('spoiled'), 'the message has no internal details');
  });

  it('is not counted once a later attempt succeeds', async () => {
    await spoil('S1500', '23514', 4);
    const { json } = await sendFeed(client, freshLines());
    const report = await reportOf(client, json.feed_id);
    assert.deepEqual([report.status, report.message], ['completed', null]);
    assertTotalsAddUp(report.totals);
    await assertFeedsTrue(apps);
  });
});

describe('a temporary failure', () => {
  it('such as a deadlock or a serialisation failure is retried until it has passed', async () => {
    for (const sqlState of ['40P01', '40001']) {
      await spoil('S1500', sqlState, 6);
      const { json } = await sendFeed(client, freshLines());
      const report = await reportOf(client, json.feed_id);
      assert.equal(report.status, 'completed', sqlState);
      await assertFeedsTrue(apps);
    }
  });

  it('such as a lock or a full disk fails the job and never the feed', async () => {
    for (const sqlState of ['55P03', '53100', '57014']) {
      await spoil('S1500', sqlState, 2);
      const { json } = await sendFeed(client, freshLines());
      const report = await reportOf(client, json.feed_id);
      assert.equal(report.status, 'completed', sqlState);
    }
    await assertFeedsTrue(apps);
  });
});

it('feeds without a job are found and applied', async () => {
  const idle = await createTestApps({ runsJobs: true });
  const brand = await idle.newBrand();
  const { json } = await sendFeed(brand.client, [{ sku: 'X', location_code: 'L', quantity: 1 }]);
  await reportOf(brand.client, json.feed_id);
  // The state that a killed worker leaves, with its job lost.
  await idle.sql(
    `update stock_feeds set status = 'processing', finished_at = null, next_line = 0, totals = '{}',
       worked_at = now() - interval '1 minute'`,
  );
  await idle.sql(`update stock_feed_packs set results = repeat('.', length(results))`);
  await waitFor('the feed to be finished', async () => {
    const rows = await idle.sql(`select 1 from stock_feeds where status = 'completed'`);
    return rows.length === 1;
  });
  await assertFeedsTrue(idle);
});
