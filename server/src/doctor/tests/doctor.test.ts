// processes: more rows than a batch has, and repairs during writes
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { applyFeed } from '../../catalog/feeds/tests/feeds.ts';
import { adjust } from '../../catalog/stock/tests/stock.ts';
import { ok } from '../../catalog/tests/new-axes.ts';
import { Database } from '../../postgres/database.ts';
import { examine, type Finding, summarize, told } from './examine.ts';
import { newShop } from './shop.ts';

const apps = await createTestApps({ runsJobs: true });
const { sql } = apps;

describe('the doctor', () => {
  it('finds nothing in a database that only its services have written to', async () => {
    const { client, name } = await newShop(apps, 'clean');
    await apps.newBrand();
    const line = { location_code: 'WH', quantity: 3, reserved: 1 };
    const results = await applyFeed(client, [
      { ...line, sku: `${name}-S`, quantity: 1 },
      { ...line, sku: `${name}-S` },
      { ...line, sku: `${name}-s` },
      { ...line, sku: `${name}-l` },
      { ...line, sku: `${name}-P` },
      { ...line, sku: `${name}-m`, location_code: 'NONE' },
      { ...line, sku: `${name}-m`, location_code: 'CLOSED' },
    ]);
    assert.deepEqual(results, [
      'superseded',
      'applied',
      'applied',
      'unknown_sku',
      'not_stockable',
      'unknown_location',
      'applied',
    ]);
    assert.deepEqual(await examine(apps, false), []);
  });

  it('reports two owners of one SKU and leaves them unchanged', async () => {
    const { brandId, name, parent } = await newShop(apps, 'two');
    await sql(`update variants set sku = $2 where brand_id = $1 and sku = $3`, [
      brandId,
      `${name}-P`,
      `${name}-s`,
    ]);
    const findings = await examine(apps, true);
    const [variant] = await sql<{ tu_id: string }>(
      'select tu_id from variants where brand_id = $1 and sku = $2',
      [brandId, `${name}-P`],
    );
    const double = findings.filter(({ outcome }) => outcome !== 'repaired');
    assert.deepEqual(double.map(told), [`sku_claims ${name}-P second_owner: null > ${variant?.tu_id}`]);
    const [claim] = await sql('select kind, tu_id from sku_claims where brand_id = $1 and sku = $2', [
      brandId,
      `${name}-P`,
    ]);
    assert.deepEqual(claim, { kind: 'product', tu_id: parent });
    await sql(`insert into sku_claims (brand_id, sku, kind, tu_id) values ($1, 'free', 'variant', $2)`, [
      brandId,
      variant?.tu_id,
    ]);
    await sql(`update variants set sku = 'free' where brand_id = $1 and sku = $2`, [brandId, `${name}-P`]);
    await examine(apps, true);
    assert.deepEqual(await examine(apps, false), []);
  });

  // [internal-49]
  it('finds differences in every brand, each under its own id', async () => {
    const shops = [await newShop(apps, 'east'), await newShop(apps, 'west')];
    await sql('update product_stock set total_quantity = -1 where brand_id = any($1)', [
      shops.map(({ brandId }) => brandId),
    ]);
    const findings = await examine(apps, true);
    assert.deepEqual(
      findings.map(({ brandId }) => brandId),
      shops.flatMap(({ brandId }) => [brandId, brandId]),
    );
    assert.deepEqual(await examine(apps, false), []);
  });

  it('scans and repairs more rows than a batch has', async () => {
    const { brandId } = await newShop(apps, 'large');
    const loader = new Database({ address: apps.address, applicationName: 'brandport-test' });
    await loader.pool.query(
      `with claims as (
         insert into sku_claims (brand_id, sku, kind, tu_id)
         select $1, 'L' || n, 'product', lpad(n::text, 21, '0') from generate_series(1, 12000) n
       ), made as (
         insert into products (brand_id, tu_id, sku, type, title, default_language, versions, price_value,
           price_currency, tax_class, is_active, created_at, updated_at)
         select $1, lpad(n::text, 21, '0'), 'L' || n, 'simple', 't', 'en', '{}', 1, 'EUR', 'standard', false, now(), now()
         from generate_series(1, 12000) n
         returning id
       )
       insert into product_stock (brand_id, product_id, total_quantity) select $1, id, 7 from made`,
      [brandId],
    );
    await loader.close();
    const { found, repaired, findings } = await summarize(apps, true);
    assert.deepEqual([found, repaired], [12_001, 12_001]);
    assert.equal(findings.filter(({ check }) => check === 'product_stock').length, 100);
    assert.ok(findings.every(({ outcome }) => outcome === 'repaired'));
    assert.deepEqual(await examine(apps, false), []);
  });

  it('moves updated_at of a product whose variant rollup it repairs, so that pollers see the change', async () => {
    const { client, brandId, parent } = await newShop(apps, 'poll');
    const before = await ok(client.get(`/catalog/products/${parent}`));
    await sql('update products set own_price_min = 1 where brand_id = $1 and has_variants', [brandId]);
    await examine(apps, true);
    const after = await ok(client.get(`/catalog/products/${parent}`));
    assert.ok(after.updated_at > before.updated_at);
    assert.deepEqual({ ...after, updated_at: before.updated_at }, before);
  });

  it('raises no false alarm while the brand is being written to, and repairs at the same time without losing a write', async () => {
    const { client, brandId, simple, parent } = await newShop(apps, 'busy');
    const { data: variants } = await ok(client.get(`/catalog/products/${parent}/variants`));
    const seen: Finding[] = [];
    let isWriting = true;
    const examining = (async () => {
      while (isWriting) seen.push(...(await examine(apps, true)));
    })();
    const write = async (n: number) => {
      const variant = variants[n % 2].tu_id;
      const writes = [
        () => adjust(client, simple, { location: 'WH', quantity: n }),
        () => adjust(client, parent, { variant, quantity: n }),
        () => client.patch(`/catalog/variants/${variant}`, { is_active: n % 3 === 0, sku: `busy-${n}` }),
        () => client.patch(`/catalog/products/${simple}`, { is_active: n % 3 === 0, sku: `busy-S-${n}` }),
        () => client.patch('/catalog/stock/locations/WH', { is_active: n % 8 === 0 }),
        () => client.create('/catalog/products', { sku: `busy-new-${n}` }),
      ];
      const answer = await (writes[n % writes.length] as () => ReturnType<typeof adjust>)();
      assert.ok(answer.status < 300, answer.text);
    };
    // 50 at a time: all at once would test how long a request may wait for a connection on a busy machine.
    for (let first = 0; first < 200; first += 50)
      await Promise.all(Array.from({ length: 50 }, (_, n) => write(first + n)));
    isWriting = false;
    await examining;
    assert.deepEqual(seen.map(told), []);
    await sql('update product_stock set total_quantity = -1 where brand_id = $1', [brandId]);
    assert.ok((await examine(apps, true)).length > 0);
    assert.deepEqual(await examine(apps, false), []);
  });
});
