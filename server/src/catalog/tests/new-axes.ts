import assert from 'node:assert/strict';
import type { ApiClient, ApiResponse } from '../../../test/support/api-client.ts';
import { writtenSoFar } from '../../../test/support/assert-refused.ts';
import type { TestDatabase } from '../../../test/support/test-database.ts';

/** Axis code -> values. */
export type Axes = Readonly<Record<string, readonly string[]>>;

/** Returns the response of a step that must succeed for the test to make sense. */
export async function ok(answer: Promise<ApiResponse>, status = 200) {
  const response = await answer;
  assert.equal(response.status, status, response.text);
  return response.json;
}

/** Adds axes to the brand's library, each with its values in the given order. */
export async function newAxes(client: ApiClient, axes: Axes): Promise<void> {
  for (const [code, values] of Object.entries(axes))
    await ok(client.post('/catalog/axes', { code, values: values.map((value) => ({ value })) }), 201);
}

/** Returns the body of a PUT that selects these axes. */
export function selecting(axes: Axes): { axes: { code: string; values: readonly string[] }[] } {
  return { axes: Object.entries(axes).map(([code, values]) => ({ code, values })) };
}

let products = 0;

/** Creates a product that selects `axes`, which must be in the library, and returns its detail. */
export async function newParent(client: ApiClient, axes: Axes, fields: object = {}) {
  products += 1;
  const product = await ok(client.create('/catalog/products', { sku: `PARENT-${products}`, ...fields }), 201);
  await ok(client.put(`/catalog/products/${product.tu_id}/axes`, selecting(axes)));
  return product;
}

/** Creates a variant and returns it. */
export async function newVariant(
  client: ApiClient,
  productTuId: string,
  body: { sku: string; axis_values: Readonly<Record<string, string>>; [field: string]: unknown },
) {
  return ok(client.create(`/catalog/products/${productTuId}/variants`, body), 201);
}

/** Returns totals of the catalog that every write changes; refused requests leave them as they are. */
export async function catalogSoFar(apps: Pick<TestDatabase, 'sql'>): Promise<object> {
  const [row] = await apps.sql(`select
    (select coalesce(json_agg(to_json(a) order by a.id), '[]')::text from axes a) as axes,
    (select coalesce(json_agg(to_json(v) order by v.id), '[]')::text from axis_values v) as axis_values,
    (select count(*) from product_axes) as product_axes,
    (select count(*) from product_axis_values) as product_axis_values,
    (select coalesce(json_agg(to_json(v) order by v.id), '[]')::text from variants v) as variants,
    (select count(*) from variant_axis_values) as variant_axis_values`);
  return { ...(await writtenSoFar(apps)), ...row };
}

/** Counts each outcome, such as `201` or `409 conflict`, in alphabetical order. */
export function outcomes(answers: readonly ApiResponse[]): Record<string, number> {
  const names = answers.map(({ status, json }) => (status < 400 ? `${status}` : `${status} ${json?.code}`));
  const counts: Record<string, number> = {};
  for (const name of names.sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Asserts that rollups and counters agree with the variants and products. */
export async function assertRollupsTrue({ sql }: Pick<TestDatabase, 'sql'>): Promise<void> {
  const wrong = await sql(`
    select p.brand_id, p.id, p.live_variants, t.live_variants as true_live
    from products p join product_variant_truth t on t.brand_id = p.brand_id and t.product_id = p.id
    where (p.live_variants, p.active_variants, p.inheriting_variants, p.own_price_min, p.own_price_max)
      is distinct from (t.live_variants, t.active_variants, t.inheriting_variants, t.own_price_min, t.own_price_max)`);
  assert.deepEqual(wrong, []);
  const counters = await sql(`
    select c.brand_id
    from brand_catalogs c
    left join lateral (
      select count(*) filter (where has_variants) as parents,
        count(*) filter (where has_variants and is_active) as active_parents
      from products p where p.brand_id = c.brand_id
    ) t on true
    where (c.products_with_variants, c.products_active_with_variants) is distinct from (t.parents, t.active_parents)`);
  assert.deepEqual(counters, []);
  const stock = await sql(`
    select s.product_id from product_stock s join product_stock_truth t
      on t.brand_id = s.brand_id and t.product_id = s.product_id
    where to_jsonb(s) is distinct from to_jsonb(t)`);
  assert.deepEqual(stock, []);
  const carried = await sql(`
    select v.id from variants v
    left join lateral (
      select string_agg(x.axis_id || ':' || x.value_id, ',' order by x.axis_id) as combination
      from variant_axis_values x where x.brand_id = v.brand_id and x.variant_id = v.id
    ) c on true
    where c.combination is distinct from case when v.deleted_at is null then v.combination end`);
  assert.deepEqual(carried, []);
  const unselected = await sql(`
    select v.id from variants v
    join variant_axis_values x on x.brand_id = v.brand_id and x.variant_id = v.id
    left join product_axis_values s on s.brand_id = v.brand_id and s.product_id = v.product_id
      and s.axis_id = x.axis_id and s.value_id = x.value_id
    where s.product_id is null`);
  assert.deepEqual(unselected, []);
}
