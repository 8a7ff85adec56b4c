// nightly: loads a million products
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import { createTestApps } from '../support/test-apps.ts';
import { onOwnConnection } from './plan-data.ts';
import { PlanRecorder, type RecordedPlan } from './plan-recorder.ts';

const perPage = 50;
/** A larger table has a level more in the indexes that find each product and its stock, and in that of the order. */
const oneLevelMore = 2 * perPage + 10;
const recorder = new PlanRecorder();
const apps = await createTestApps();

const sorts = ['-updated_at', 'updated_at', '-created_at', 'created_at', 'sku', '-sku'];
const background = /^(touch|add)_/;

/** Creates a brand with so many products, and returns what each statement costs that reads the page after the middle. */
async function costsWith(products: number): Promise<Map<string, RecordedPlan[]>> {
  const { client, brandId } = await apps.newBrand();
  await onOwnConnection(apps, async (sql) => {
    await sql(
      `insert into sku_claims (brand_id, sku, kind, tu_id)
       select $1, 'P' || n, 'product', 'p' || n from generate_series(1, $2) n`,
      [brandId, products],
    );
    await sql(
      `insert into products (brand_id, tu_id, sku, type, title, default_language, versions, price_value, price_currency,
         tax_class, is_active, created_at, updated_at, has_variants)
       select $1, 'p' || n, 'P' || n, 'simple', 'Product ' || n, 'en', '{}', 10, 'EUR', 'standard', true,
         timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second', false
       from generate_series(1, $2) n`,
      [brandId, products],
    );
    await sql(
      `insert into product_stock (brand_id, product_id, total_quantity, own_levels, own_counted_levels, own_available,
         variant_levels, variant_counted_levels, variant_available)
       select brand_id, id, 14, 2, 2, 14, 0, 0, 0 from products where brand_id = $1`,
      [brandId],
    );
    await sql(
      `insert into brand_catalogs (brand_id, version, changed_at, products_total, products_active)
       values ($1, 1, now(), $2, $2)
       on conflict (brand_id) do update set products_total = $2, products_active = $2`,
      [brandId, products],
    );
  });
  await apps.sql('analyze');
  const page = async (sort: string, number: number) =>
    ok(client.get(`/catalog/products?per_page=${perPage}&sort=${sort}&page=${number}`));
  const middle = products / perPage / 2;
  const costs = new Map<string, RecordedPlan[]>();
  for (const sort of sorts) {
    assert.equal((await page(sort, middle)).meta.total, products);
    recorder.plans.length = 0;
    await recorder.record(() => page(sort, middle + 1));
    const isCounted = ({ mode, statement }: RecordedPlan) => mode !== 'kept' && !background.test(statement);
    costs.set(sort, recorder.plans.filter(isCounted));
  }
  return costs;
}

describe('a page in the middle of a walk through the product list', async () => {
  const small = await costsWith(1_000);
  const large = await costsWith(1_000_000);

  for (const sort of sorts)
    it(`by ${sort} costs the same with a thousand products and with a million`, () => {
      const before = new Map(small.get(sort)?.map(({ statement, buffers }) => [statement, buffers]));
      const after = large.get(sort) ?? [];
      assert.deepEqual([...new Set(after.map(({ statement }) => statement))], [...before.keys()]);
      for (const { statement, mode, rows, buffers } of after) {
        assert.ok(rows <= perPage, `${statement} (${mode}): ${rows} rows`);
        const most = (before.get(statement) ?? 0) + oneLevelMore;
        assert.ok(buffers <= most, `${statement} (${mode}): ${buffers} pages, at most ${most}`);
      }
    });
});
