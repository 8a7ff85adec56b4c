import assert from 'node:assert/strict';
import type { ApiClient, ApiResponse } from '../../../../test/support/api-client.ts';
import type { TestApps } from '../../../../test/support/test-apps.ts';
import type { TestDatabase } from '../../../../test/support/test-database.ts';
import { newAxes, newParent, newVariant, ok } from '../../tests/new-axes.ts';
import { lockStock, recordStockChange } from '../brand-stock-store.ts';
import { refreshProductStock } from '../product-stock-store.ts';

let products = 0;

/** Creates a product without variants and returns its detail. */
export async function newSimple(client: ApiClient, sku?: string) {
  products += 1;
  return ok(client.create('/catalog/products', { sku: sku ?? `SIMPLE-${products}` }), 201);
}

/** Creates a brand with the location `WH` and a product without variants, which has no level yet. */
export async function newStockedBrand(apps: TestApps) {
  const brand = await apps.newBrand();
  await newLocation(brand.client, 'WH');
  const product = await newSimple(brand.client);
  return { ...brand, product, tu_id: product.tu_id, sku: product.sku };
}

/** Creates a product with active variants `<sku>-1` to `<sku>-<count>`, on a new axis. */
export async function newStockedParent(client: ApiClient, sku: string, count: number) {
  const values = Array.from({ length: count }, (_, index) => `${index + 1}`);
  await newAxes(client, { [`axis-${sku}`]: values });
  const product = await newParent(client, { [`axis-${sku}`]: values }, { sku });
  const variants = [];
  for (const value of values)
    variants.push(
      await newVariant(client, product.tu_id, {
        sku: `${sku}-${value}`,
        axis_values: { [`axis-${sku}`]: value },
        is_active: true,
      }),
    );
  return { product, variants };
}

export async function newLocation(client: ApiClient, externalCode: string, fields: object = {}) {
  return ok(client.post('/catalog/stock/locations', { external_code: externalCode, ...fields }), 201);
}

/** Sends an adjustment with a fresh Idempotency-Key. */
export function adjust(client: ApiClient, productTuId: string, body: unknown): Promise<ApiResponse> {
  return client.create(`/catalog/products/${productTuId}/stock/adjust`, body);
}

/** Sends an adjustment that must succeed. */
export async function adjusted(client: ApiClient, productTuId: string, body: object) {
  return ok(adjust(client, productTuId, body));
}

export async function stockOf(client: ApiClient, productTuId: string, query = '') {
  return ok(client.get(`/catalog/products/${productTuId}/stock${query}`));
}

/** Returns every movement of a product, the oldest first; at most 200. */
export async function ledgerOf(client: ApiClient, productTuId: string) {
  const list = await ok(client.get(`/catalog/products/${productTuId}/stock/movements?per_page=200`));
  assert.equal(list.meta.last_page, 1);
  return list.data.toReversed();
}

interface FeedFigure {
  readonly sku: string;
  readonly location: string;
  readonly quantity: number;
  readonly reserved?: number;
  /** ISO 8601; default: now. */
  readonly updatedAt?: string;
}

/** Writes a level as a feed does: level, movement and rollup in one transaction. */
export async function setAsFeed(
  { database }: TestDatabase,
  brandId: number,
  figure: FeedFigure,
): Promise<void> {
  const { sku, location, quantity, reserved = 0, updatedAt = new Date().toISOString() } = figure;
  await database.transaction(async (tx) => {
    const [owner] = await tx.run<{ product_id: number; variant_id: number | null }>({
      name: 'test_owner_of_sku',
      text: `select id as product_id, null::bigint as variant_id from products where brand_id = $1 and sku = $2
        union all select product_id, id from variants where brand_id = $1 and sku = $2`,
      values: [brandId, sku],
    });
    assert.ok(owner, sku);
    const stock = await lockStock(tx, brandId);
    await tx.run({
      name: 'test_set_as_feed',
      text: `with was as (
          select l.id, l.quantity from stock_levels l
          where l.brand_id = $1 and l.sku = $2 and l.location_code = $3
        ), level as (
          insert into stock_levels as l (brand_id, product_id, variant_id, location_id, sku, location_code, quantity,
            reserved, source_updated_at, is_from_feed)
          select $1, $4, $5, o.id, $2, $3, $6, $7, $8, true
          from stock_locations o where o.brand_id = $1 and o.external_code = $3
          on conflict (brand_id, product_id, variant_id, location_id) do update
          set quantity = excluded.quantity, reserved = excluded.reserved, is_from_feed = true,
            source_updated_at = excluded.source_updated_at
          returning l.id
        )
        insert into stock_movements (brand_id, level_id, product_id, variant_id, sku, location_code,
          quantity_before, quantity_after, reason, note)
        select $1, level.id, $4, $5, $2, $3, coalesce((select quantity from was), 0), $6, 'feed', 'feed:test'
        from level where coalesce((select quantity from was), 0) <> $6`,
      values: [brandId, sku, location, owner.product_id, owner.variant_id, quantity, reserved, updatedAt],
    });
    refreshProductStock(stock, [owner.product_id]);
    recordStockChange(stock, []);
  });
}

/** Asserts that the stock rollups match the levels, and that the ledger of every level chains from 0 to its quantity. */
export async function assertStockTrue({ sql }: Pick<TestDatabase, 'sql'>): Promise<void> {
  const rollups = await sql(`
    select to_jsonb(s) as stored, to_jsonb(t) as true from product_stock s
    full join product_stock_truth t on t.brand_id = s.brand_id and t.product_id = s.product_id
    where to_jsonb(s) is distinct from to_jsonb(t)`);
  assert.deepEqual(rollups, []);
  const ledger = await sql(`
    select l.id, l.quantity, sum(m.delta) as ledger from stock_levels l
    left join stock_movements m on m.brand_id = l.brand_id and m.level_id = l.id
    group by l.brand_id, l.id having l.quantity <> coalesce(sum(m.delta), 0)`);
  assert.deepEqual(ledger, []);
  const chains = await sql(`
    select id from (
      select m.id, m.quantity_before,
        lag(m.quantity_after, 1, 0) over (partition by m.brand_id, m.level_id order by m.id) as left_by_the_one_before
      from stock_movements m
    ) as chain
    where quantity_before <> left_by_the_one_before`);
  assert.deepEqual(chains, []);
  const copies = await sql(`
    select l.id from stock_levels l
    join products p on p.brand_id = l.brand_id and p.id = l.product_id
    left join variants v on v.brand_id = l.brand_id and v.id = l.variant_id
    where l.sku <> coalesce(v.sku, p.sku) or l.is_hidden <> (v.deleted_at is not null)`);
  assert.deepEqual(copies, []);
}
