import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { adjusted, newLocation, newSimple, newStockedParent, setAsFeed } from '../../stock/tests/stock.ts';
import { ok } from '../../tests/new-axes.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import { assertFeedsTrue, levelsOf, reportOf, type SentLine, sendFeed, strictObserver } from './feeds.ts';

// While a chunk waits for the brand's stock, another transaction may change it: the chunk is decided on what that one left.

const apps = await createTestApps();
/** Later than what is adjusted meanwhile. */
const inAnHour = new Date(Date.now() + 3_600_000).toISOString();

/** Locks a brand's stock, makes a feed wait for it, changes something of a product meanwhile, and returns the feed's results. */
async function applyWhile(
  { client, brandId }: Awaited<ReturnType<typeof apps.newBrand>>,
  productSku: string,
  lines: readonly SentLine[],
  change: (holder: pg.Client, productId: number) => Promise<unknown>,
): Promise<string[]> {
  const { json } = await sendFeed(client, lines);
  const holder = new pg.Client(apps.address);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select 1 from brand_stocks where brand_id = $1 for no key update', [brandId]);
  const applying = applyBrandFeeds(apps.context, strictObserver, brandId, { sliceMs: 10_000 });
  await waitFor('the feed to wait for the stock', async () => {
    const waiting = await apps.sql(
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting.length === 1;
  });
  await change(holder, (await idOf(brandId, productSku)) as number);
  await holder.query('commit');
  await holder.end();
  assert.equal(await applying, 'finished');
  const report = await reportOf(client, json.feed_id);
  assert.equal(report.status, 'completed', report.message);
  await assertFeedsTrue(apps);
  return report.lines.data.map(({ result }: { result: string }) => result);
}

/** Sets a level by hand, in the transaction that holds the lock. */
const adjustBy =
  (brandId: number, quantity: number, sku: string) => async (holder: pg.Client, productId: number) => {
    await holder.query(
      `with was as (select quantity from stock_levels where brand_id = $1 and sku = $4),
       level as (
         insert into stock_levels (brand_id, product_id, variant_id, location_id, sku, location_code, quantity,
           source_updated_at, is_from_feed)
         select $1, $2, (select id from variants where brand_id = $1 and sku = $4), o.id, $4, o.external_code, $3,
           clock_timestamp(), false
         from stock_locations o where o.brand_id = $1
         on conflict (brand_id, product_id, variant_id, location_id) do update
         set quantity = excluded.quantity, source_updated_at = excluded.source_updated_at, is_from_feed = false
         returning id, variant_id, location_code
       )
       insert into stock_movements (brand_id, level_id, product_id, variant_id, sku, location_code, quantity_before,
         quantity_after, reason, note)
       select $1, id, $2, variant_id, $4, location_code, coalesce((select quantity from was), 0), $3, 'manual', 'test'
       from level where coalesce((select quantity from was), 0) <> $3`,
      [brandId, productId, quantity, sku],
    );
    await refresh(holder, brandId);
  };

/** Like `refreshProductStock`, for all products of the brand. */
function refresh(holder: pg.Client, brandId: number) {
  return holder.query(
    `update product_stock s
     set total_quantity = t.total_quantity, own_levels = t.own_levels, own_counted_levels = t.own_counted_levels,
       own_available = t.own_available, own_fresh_at = t.own_fresh_at, variant_levels = t.variant_levels,
       variant_counted_levels = t.variant_counted_levels, variant_available = t.variant_available,
       variant_fresh_at = t.variant_fresh_at
     from product_stock_truth t
     where s.brand_id = $1 and t.brand_id = $1 and t.product_id = s.product_id`,
    [brandId],
  );
}

describe('while a chunk waits for the stock of its brand', () => {
  it('its level may change: the feed is decided on the new state', async () => {
    const brand = await apps.newBrand();
    await newLocation(brand.client, 'L');
    const { tu_id } = await newSimple(brand.client, 'A');
    await adjusted(brand.client, tu_id, { location: 'L', quantity: 5 });
    const line = { sku: 'A', location_code: 'L', quantity: 9, updated_at: inAnHour };
    const results = await applyWhile(brand, 'A', [line], adjustBy(brand.brandId, 7, 'A'));
    assert.deepEqual(results, ['applied']);
    const [movement] = await apps.sql(
      `select quantity_before, quantity_after from stock_movements where brand_id = $1 order by id desc limit 1`,
      [brand.brandId],
    );
    assert.deepEqual(movement, { quantity_before: 7, quantity_after: 9 });
  });

  it('its level may become equal to the line, or newer than it', async () => {
    const brand = await apps.newBrand();
    await newLocation(brand.client, 'L');
    const { variants } = await newStockedParent(brand.client, 'P', 1);
    const sku = variants[0].sku as string;
    const line = { sku, location_code: 'L', quantity: 9 };
    const ahead = { ...line, updated_at: inAnHour };
    const change = adjustBy(brand.brandId, 9, sku);
    assert.deepEqual(await applyWhile(brand, 'P', [ahead], change), ['unchanged']);
    await apps.sql(`update stock_levels set source_updated_at = now() where brand_id = $1`, [brand.brandId]);
    assert.deepEqual(await applyWhile(brand, 'P', [{ ...line, quantity: 1 }], change), ['stale']);
  });

  it('its level may be created: there is one of it, not two', async () => {
    const brand = await apps.newBrand();
    await newLocation(brand.client, 'L');
    await newSimple(brand.client, 'A');
    const line = { sku: 'A', location_code: 'L', quantity: 9, updated_at: inAnHour };
    const change = adjustBy(brand.brandId, 4, 'A');
    assert.deepEqual(await applyWhile(brand, 'A', [line], change), ['applied']);
    assert.equal((await levelsOf(apps, brand.brandId)).get('A@L')?.quantity, 9);
  });

  it('its SKU may move to another product: the stock of that one is written', async () => {
    const brand = await apps.newBrand();
    await newLocation(brand.client, 'L');
    await newSimple(brand.client, 'A');
    const other = await newSimple(brand.client, 'B');
    for (const sku of ['A', 'B']) await setAsFeed(apps, brand.brandId, { sku, location: 'L', quantity: 5 });
    const line = { sku: 'A', location_code: 'L', quantity: 9, updated_at: inAnHour };
    const rename = async (holder: pg.Client, productId: number) => {
      const swap = [
        [productId, 'C'],
        [(await idOf(brand.brandId, 'B')) as number, 'A'],
      ] as const;
      for (const [id, sku] of swap) {
        await holder.query(
          `insert into sku_claims (brand_id, sku, kind, tu_id)
           select brand_id, $3, 'product', tu_id from products where brand_id = $1 and id = $2
           on conflict (brand_id, sku) do update set tu_id = excluded.tu_id`,
          [brand.brandId, id, sku],
        );
        await holder.query('update products set sku = $3 where brand_id = $1 and id = $2', [
          brand.brandId,
          id,
          sku,
        ]);
        await holder.query('update stock_levels set sku = $3 where brand_id = $1 and product_id = $2', [
          brand.brandId,
          id,
          sku,
        ]);
        // Like `renewProductVersions`.
        await holder.query(
          'update product_stock set total_quantity = total_quantity where brand_id = $1 and product_id = $2',
          [brand.brandId, id],
        );
      }
    };
    assert.deepEqual(await applyWhile(brand, 'A', [line], rename), ['applied']);
    const levels = await levelsOf(apps, brand.brandId);
    assert.deepEqual([...levels].map(([place, { quantity }]) => [place, quantity]).sort(), [
      ['A@L', 9],
      ['C@L', 5],
    ]);
    const { data } = await ok(brand.client.get(`/catalog/products/${other.tu_id}/stock/movements`));
    assert.equal(data[0].reason, 'feed');
  });

  it('its SKU may be released: the line is then unknown', async () => {
    const brand = await apps.newBrand();
    await newLocation(brand.client, 'L');
    const { product, variants } = await newStockedParent(brand.client, 'P', 1);
    const variant = variants[0].tu_id;
    await adjusted(brand.client, product.tu_id, { variant, location: 'L', quantity: 5 });
    const remove = async (holder: pg.Client) => {
      await holder.query(
        `update variants set deleted_at = now(), is_active = false where brand_id = $1 and tu_id = $2`,
        [brand.brandId, variant],
      );
      await holder.query(`update stock_levels set is_hidden = true where brand_id = $1`, [brand.brandId]);
      await holder.query('delete from variant_axis_values where brand_id = $1', [brand.brandId]);
      await refresh(holder, brand.brandId);
    };
    const line = { sku: 'P-1', location_code: 'L', quantity: 9 };
    assert.deepEqual(await applyWhile(brand, 'P', [line], remove), ['unknown_sku']);
  });
});

async function idOf(brandId: number, sku: string): Promise<number | undefined> {
  const [row] = await apps.sql<{ id: string }>('select id from products where brand_id = $1 and sku = $2', [
    brandId,
    sku,
  ]);
  return row && Number(row.id);
}
